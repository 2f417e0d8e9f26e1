//===- devices.cu - Devices, their attributes and properties ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

#include <cstring>

using namespace conformance;

namespace {

void choosing() {
  int count = 0, device = -1;
  answer("count", cudaGetDeviceCount(&count));
  answer("count to null", cudaGetDeviceCount(nullptr));
  answer("current", cudaGetDevice(&device));
  answer("the first is current", device == 0);
  answer("current to null", cudaGetDevice(nullptr));
  answer("choose the first", cudaSetDevice(0));
  answer("choose beyond the last", cudaSetDevice(count));
  answer("choose a negative one", cudaSetDevice(-1));
  answer("still current", cudaGetDevice(&device));
  answer("the first still is current", device == 0);
  answer("valid devices", cudaSetValidDevices(&device, 1));
  answer("no valid devices", cudaSetValidDevices(nullptr, 1));
  answer("initialise", cudaInitDevice(0, 0, 0));
  answer("initialise beyond the last", cudaInitDevice(count, 0, 0));
  unsigned flags = 77;
  answer("flags", cudaGetDeviceFlags(&flags));
  answer("flags to null", cudaGetDeviceFlags(nullptr));
  answer("set flags", cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  answer("set flags that are none", cudaSetDeviceFlags(0x1000));
  answer("flags again", cudaGetDeviceFlags(&flags));
  answer("flags are as set", (flags & cudaDeviceScheduleMask) == cudaDeviceScheduleBlockingSync);
}

void attributes() {
  int value = 0;
  answer("warp size", cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
  answer("threads of a warp", value);
  answer("block size", cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0));
  answer("threads of a block", value);
  answer("shared memory", cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlock, 0));
  answer("bytes of shared memory", value);
  answer("addresses", cudaDeviceGetAttribute(&value, cudaDevAttrUnifiedAddressing, 0));
  answer("addresses are unified", value);
  answer("managed memory", cudaDeviceGetAttribute(&value, cudaDevAttrManagedMemory, 0));
  answer("memory can be managed", value);
  answer("concurrent kernels", cudaDeviceGetAttribute(&value, cudaDevAttrConcurrentKernels, 0));
  answer("kernels can be concurrent", value);
  answer("memory pools", cudaDeviceGetAttribute(&value, cudaDevAttrMemoryPoolsSupported, 0));
  answer("attribute to null", cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
  answer("attribute 0", cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(0), 0));
  answer("attribute 100000",
         cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(100000), 0));
  answer("attribute of no device", cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 99));
  answer("attribute of a negative device", cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, -1));
}

void properties() {
  cudaDeviceProp all;
  answer("properties", cudaGetDeviceProperties(&all, 0));
  answer("properties of no device", cudaGetDeviceProperties(&all, 99));
  answer("properties to null", cudaGetDeviceProperties(nullptr, 0));
  answer("properties again", cudaGetDeviceProperties(&all, 0));
  const struct {
    cudaDeviceAttr attribute;
    long long property;
  } pairs[] = {
      {cudaDevAttrMaxThreadsPerBlock, all.maxThreadsPerBlock},
      {cudaDevAttrMaxGridDimX, all.maxGridSize[0]},
      {cudaDevAttrMaxGridDimY, all.maxGridSize[1]},
      {cudaDevAttrMaxBlockDimZ, all.maxThreadsDim[2]},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, (long long)all.sharedMemPerBlockOptin},
      {cudaDevAttrMultiProcessorCount, all.multiProcessorCount},
      {cudaDevAttrComputeCapabilityMajor, all.major},
      {cudaDevAttrMaxThreadsPerMultiProcessor, all.maxThreadsPerMultiProcessor},
      {cudaDevAttrConcurrentManagedAccess, all.concurrentManagedAccess},
      {cudaDevAttrCooperativeLaunch, all.cooperativeLaunch},
      {cudaDevAttrMemoryPoolsSupported, all.memoryPoolsSupported},
  };
  bool areEqual = true;
  for (auto &pair : pairs) {
    int value = -1;
    areEqual = areEqual && cudaDeviceGetAttribute(&value, pair.attribute, 0) == cudaSuccess &&
               value == pair.property;
  }
  answer("properties are the attributes", areEqual);
  answer("grids are 2^31 - 1 wide", all.maxGridSize[0] == 0x7fffffff);
  answer("there is a name", all.name[0] != 0);
  int chosen = -1;
  answer("choose by properties", cudaChooseDevice(&chosen, &all));
  answer("choose by null", cudaChooseDevice(&chosen, nullptr));
}

void busIds() {
  char text[32], small[4];
  int device = -1;
  answer("bus id", cudaDeviceGetPCIBusId(text, sizeof text, 0));
  answer("device of that bus id", cudaDeviceGetByPCIBusId(&device, text));
  answer("it is the device", device == 0);
  answer("bus id in little room", cudaDeviceGetPCIBusId(small, sizeof small, 0));
  answer("bus id of no device", cudaDeviceGetPCIBusId(text, sizeof text, 99));
  answer("device of what is no bus id", cudaDeviceGetByPCIBusId(&device, "nowhere"));
}

void configuration() {
  cudaFuncCache config = cudaFuncCachePreferShared;
  answer("cache preference", cudaDeviceGetCacheConfig(&config));
  answer("set a cache preference", cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  answer("cache preference again", cudaDeviceGetCacheConfig(&config));
  answer("the cache preference is as set", config == cudaFuncCachePreferL1);
  answer("set a cache preference that is none",
         cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(9)));
  int least = 7, greatest = 7;
  answer("priorities", cudaDeviceGetStreamPriorityRange(&least, &greatest));
  answer("the least priority", least);
  answer("the greatest is not above it", greatest <= least);
  answer("priorities to null", cudaDeviceGetStreamPriorityRange(nullptr, nullptr));
}

} // namespace

AREA(devices) {
  choosing();
  attributes();
  properties();
  busIds();
  configuration();
}
