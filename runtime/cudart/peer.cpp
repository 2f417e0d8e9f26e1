//===- peer.cpp - Peer access between devices -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/entry.h"

#include <algorithm>

using namespace regrain;

namespace {

cudaError_t open(int ordinal, OpenDevice *&out) {
  Platform &platform = Platform::get();
  cudaError_t status = platform.status();
  return status == cudaSuccess ? platform.open(ordinal, out) : status;
}

/// Calls the body with two devices, which may be the same.
template <typename Body> cudaError_t withPair(int ordinal, int peer, Body body) {
  return entry([&] {
    OpenDevice *first = nullptr, *second = nullptr;
    cudaError_t status = open(ordinal, first);
    if (status == cudaSuccess)
      status = open(peer, second);
    return status == cudaSuccess ? body(*first->device, *second->device) : status;
  });
}

/// Calls the body with the thread's device and another one, whose context exists; the
/// second is null if both are the same device.
template <typename Body> cudaError_t withPeer(int peer, Body body) {
  return onOpenDevice([&](OpenDevice &current) {
    OpenDevice *other = nullptr;
    if (cudaError_t status = open(peer, other); status != cudaSuccess)
      return status;
    if (other == &current)
      return body(*current.device, nullptr);
    if (cudaError_t status = other->device->bindThread(); status != cudaSuccess)
      return status;
    if (cudaError_t status = current.device->bindThread(); status != cudaSuccess)
      return status;
    return body(*current.device, other->device.get());
  });
}

} // namespace

cudaError_t cudaDeviceCanAccessPeer(int *canAccess, int device, int peer) {
  return withPair(device, peer, [&](Device &first, Device &second) {
    if (!canAccess)
      return cudaErrorInvalidValue;
    *canAccess = 0;
    return &first == &second ? cudaSuccess : first.canAccessPeer(second, *canAccess);
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return withPeer(peer, [&](Device &device, Device *other) {
    if (flags != cudaPeerAccessDefault)
      return cudaErrorInvalidValue;
    return other ? device.enablePeer(*other) : cudaErrorPeerAccessUnsupported;
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return withPeer(peer, [&](Device &device, Device *other) {
    return other ? device.disablePeer(*other) : cudaErrorPeerAccessNotEnabled;
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attribute, int source,
                                      int destination) {
  return withPair(source, destination, [&](Device &first, Device &second) {
    if (!value)
      return cudaErrorInvalidValue;
    // A device is not its own peer.
    return &first == &second ? cudaErrorInvalidDevice
                             : first.peerAttribute(attribute, second, *value);
  });
}

/// Returns whether these are arguments of the calls below.
static bool areOperations(const unsigned *capabilities, const cudaAtomicOperation *operations,
                          unsigned count) {
  return capabilities && operations && count &&
         std::all_of(operations, operations + count, [](cudaAtomicOperation operation) {
           return operation >= cudaAtomicOperationIntegerAdd &&
                  operation <= cudaAtomicOperationFloatMax;
         });
}

cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned int *capabilities,
                                               const cudaAtomicOperation *operations,
                                               unsigned int count, int source, int destination) {
  return withPair(source, destination, [&](Device &first, Device &second) {
    if (&first == &second)
      return cudaErrorInvalidDevice;
    return areOperations(capabilities, operations, count)
               ? first.peerAtomics({operations, count}, second, capabilities)
               : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned int *capabilities,
                                                const cudaAtomicOperation *operations,
                                                unsigned int count, int device) {
  return withPair(device, device, [&](Device &found, Device &) {
    return areOperations(capabilities, operations, count)
               ? found.hostAtomics({operations, count}, capabilities)
               : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t bytes) {
  // Addresses are unified: a copy determines the devices from the pointers.
  cudaError_t status =
      withPair(toDevice, fromDevice, [](Device &, Device &) { return cudaSuccess; });
  return status == cudaSuccess ? cudaMemcpy(to, from, bytes, cudaMemcpyDefault) : status;
}

cudaError_t cudaMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice,
                                size_t bytes, cudaStream_t stream) {
  cudaError_t status =
      withPair(toDevice, fromDevice, [](Device &, Device &) { return cudaSuccess; });
  return status == cudaSuccess ? cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream)
                               : status;
}

namespace {

cudaMemcpy3DParms withoutDevices(const cudaMemcpy3DPeerParms &peers) {
  return {peers.srcArray, peers.srcPos, peers.srcPtr, peers.dstArray,
          peers.dstPos,   peers.dstPtr, peers.extent, cudaMemcpyDefault};
}

cudaError_t checkPeers(const cudaMemcpy3DPeerParms *parameters) {
  if (!parameters)
    return entry([] { return cudaErrorInvalidValue; });
  return withPair(parameters->dstDevice, parameters->srcDevice,
                  [](Device &, Device &) { return cudaSuccess; });
}

} // namespace

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *parameters) {
  if (cudaError_t status = checkPeers(parameters); status != cudaSuccess)
    return status;
  cudaMemcpy3DParms box = withoutDevices(*parameters);
  return cudaMemcpy3D(&box);
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *parameters, cudaStream_t stream) {
  if (cudaError_t status = checkPeers(parameters); status != cudaSuccess)
    return status;
  cudaMemcpy3DParms box = withoutDevices(*parameters);
  return cudaMemcpy3DAsync(&box, stream);
}
