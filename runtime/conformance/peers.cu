//===- peers.cu - Peer access between devices -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

using namespace conformance;

// These answers hold with one device, too. They are recorded with one device
// visible.
AREA(peers) {
  int can = 77, value = 77;
  answer("itself", cudaDeviceCanAccessPeer(&can, 0, 0));
  answer("it is no peer of itself", can);
  answer("beyond the last", cudaDeviceCanAccessPeer(&can, 0, 99));
  answer("from beyond the last", cudaDeviceCanAccessPeer(&can, 99, 0));
  answer("a negative one", cudaDeviceCanAccessPeer(&can, 0, -1));
  answer("to null", cudaDeviceCanAccessPeer(nullptr, 0, 0));
  answer("enable itself", cudaDeviceEnablePeerAccess(0, 0));
  answer("enable beyond the last", cudaDeviceEnablePeerAccess(99, 0));
  answer("enable a negative one", cudaDeviceEnablePeerAccess(-1, 0));
  answer("enable with flags", cudaDeviceEnablePeerAccess(0, 1));
  answer("disable itself", cudaDeviceDisablePeerAccess(0));
  answer("disable beyond the last", cudaDeviceDisablePeerAccess(99));
  answer("attribute of itself",
         cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
  answer("attribute beyond the last",
         cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 99));
  answer("attribute to null",
         cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 0));
  Buffer<int> first(1), second(1);
  int number = 31;
  answer("prepare", cudaMemcpy(first.data, &number, sizeof number, cudaMemcpyHostToDevice));
  answer("copy within it", cudaMemcpyPeer(second.data, 0, first.data, 0, sizeof number));
  answer("what was copied", read(second.data));
  answer("copy within it in a stream",
         cudaMemcpyPeerAsync(second.data, 0, first.data, 0, sizeof number, nullptr));
  answer("wait", cudaDeviceSynchronize());
  answer("copy to beyond the last", cudaMemcpyPeer(second.data, 99, first.data, 0, sizeof number));
  answer("copy from beyond the last",
         cudaMemcpyPeerAsync(second.data, 0, first.data, 99, sizeof number, nullptr));
}
