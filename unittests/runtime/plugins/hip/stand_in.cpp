//===- stand_in.cpp - A libamdhip64.so that runs on the CPU: devices ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/plugins/hip/stand_in.h"

#include "unittests/runtime/plugins/hip/stand_in_calls.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

using namespace regrain;

HipStandIn &hipStandIn() {
  static HipStandIn *state = new HipStandIn; // used during the end of the process
  return *state;
}

bool HipStandIn::called(const std::string &symbol) const {
  return std::find(calls.begin(), calls.end(), symbol) != calls.end();
}

bool HipStandIn::calledInOrder(const std::string &first, const std::string &second) const {
  auto found = std::find(calls.begin(), calls.end(), first);
  return std::find(found, calls.end(), second) != calls.end();
}

int HipStandIn::liveObjects() const {
  int sum = 0;
  for (const auto &[maker, count] : live)
    sum += count;
  return sum;
}

std::mutex &recordLock() {
  static std::mutex *lock = new std::mutex;
  return *lock;
}

bool isAnswered(const char *symbol, HipResult &result) {
  std::lock_guard lock(recordLock());
  HipStandIn &state = hipStandIn();
  state.calls.push_back(symbol);
  auto wanted = state.results.find(symbol);
  if (wanted == state.results.end())
    return false;
  result = wanted->second;
  return true;
}

namespace {

/// These are hipDeviceAttribute_t of one GPU, with HIP's values for an MI210.
const std::map<int, int> ownAttributes = {
    {0, 1},           {2, 8},      {3, 1},           {4, 1},           {5, 1700000},  {8, 1},
    {9, 1},           {10, 1},     {12, 1},          {19, 8 << 20},    {23, 9},       {24, 1},
    {26, 1024},       {27, 1024},  {28, 1024},       {29, 2147483647}, {30, 65536},   {31, 65536},
    {56, 1024},       {57, 2048},  {58, 2147483647}, {59, 4096},       {60, 1600000}, {61, 0},
    {63, 104},        {67, 3},     {71, 65536},      {72, 65536},      {74, 65536},   {78, 1},
    {83, 2147483647}, {85, 1},     {87, 64},         {10002, 65536},
#if REGRAIN_STAND_IN_VERSION >= 600
    {25, 32},         {75, 65536}, {90, 1},
#endif
};

bool isDevice(int ordinal) { return ordinal >= 0 && ordinal < hipStandIn().devices; }

template <typename Properties> HipResult fillProperties(Properties &out, int ordinal) {
  if (!isDevice(ordinal))
    return HipResult::InvalidValue;
  std::strcpy(out.chip, hipStandIn().chip.c_str());
  return HipResult::Success;
}

} // namespace

const char *standIn_getErrorString(HipResult) { return "the stand-in's text"; }

HipResult standIn_runtimeGetVersion(int *version) {
  *version = REGRAIN_STAND_IN_VERSION * 100000 + 21153;
  return answer("hipRuntimeGetVersion", [] { return cudaSuccess; });
}

HipResult standIn_getDeviceCount(int *count) {
  *count = hipStandIn().devices;
  return answer("hipGetDeviceCount", [&] { return *count ? cudaSuccess : cudaErrorNoDevice; });
}

HipResult standIn_getDevice(int *device) {
  *device = 0;
  return answer("hipGetDevice", [] { return cudaSuccess; });
}

HipResult standIn_setDevice(int device) {
  return answer("hipSetDevice",
                [&] { return isDevice(device) ? backend().bindThread() : cudaErrorInvalidDevice; });
}

HipResult standIn_deviceGetName(char *name, int bytes, int) {
  return answer("hipDeviceGetName", [&] {
    std::snprintf(name, bytes, "%s", hipStandIn().board.c_str());
    return cudaSuccess;
  });
}

HipResult standIn_deviceTotalMem(size_t *bytes, int) {
  size_t unused = 0;
  return answer("hipDeviceTotalMem", [&] { return backend().memoryInfo(unused, *bytes); });
}

HipResult standIn_deviceGetAttribute(int *value, int attribute, int) {
  return answer("hipDeviceGetAttribute", [&] {
    for (const auto *known : {&std::as_const(hipStandIn().attributes), &ownAttributes})
      if (auto found = known->find(attribute); found != known->end()) {
        *value = found->second;
        return cudaSuccess;
      }
    return cudaErrorInvalidValue;
  });
}

#if REGRAIN_STAND_IN_VERSION >= 501
HipResult standIn_deviceGetUuid(cudaUUID_t *uuid, int) {
  return answer("hipDeviceGetUuid", [&] {
    std::memset(uuid, 7, sizeof *uuid);
    return cudaSuccess;
  });
}
#endif

#if REGRAIN_STAND_IN_VERSION >= 600
HipResult standIn_getProperties6(HipProperties *properties, int device) {
  HipResult result = HipResult::Success;
  return isAnswered("hipGetDevicePropertiesR0600", result)
             ? result
             : fillProperties(properties->version6, device);
}
#endif

/// In HIP 6 and later, this is the call of programs that were built for 5.
HipResult standIn_getProperties5(HipProperties *properties, int device) {
  HipResult result = HipResult::Success;
  return isAnswered("hipGetDeviceProperties", result)
             ? result
             : fillProperties(properties->version5, device);
}

HipResult standIn_deviceSynchronize() {
  return answer("hipDeviceSynchronize", [] { return backend().synchronize(); });
}

HipResult standIn_deviceReset() {
  return answer("hipDeviceReset", [] {
    hipStandIn().live.clear();
    return backend().reset();
  });
}

/// Like HIP, it knows the limit of the heap, and since 5.3 that of the stack.
static bool isLimit(int limit) {
  return limit == cudaLimitMallocHeapSize ||
         (REGRAIN_STAND_IN_VERSION >= 503 && limit == cudaLimitStackSize);
}

HipResult standIn_deviceGetLimit(size_t *value, int limit) {
  return answer("hipDeviceGetLimit", [&] {
    return isLimit(limit) ? backend().limit(cudaLimit(limit), *value)
           : limit == 0   ? cudaErrorInvalidValue
                          : cudaErrorUnsupportedLimit;
  });
}

#if REGRAIN_STAND_IN_VERSION >= 503
HipResult standIn_deviceSetLimit(int limit, size_t value) {
  return answer("hipDeviceSetLimit", [&] {
    return isLimit(limit) ? backend().setLimit(cudaLimit(limit), value) : cudaErrorUnsupportedLimit;
  });
}
#endif

HipResult standIn_deviceGetCacheConfig(int *config) {
  *config = 0;
  return answer("hipDeviceGetCacheConfig", [] { return cudaSuccess; });
}

HipResult standIn_deviceSetCacheConfig(int) {
  return answer("hipDeviceSetCacheConfig", [] { return cudaSuccess; });
}

HipResult standIn_getDeviceFlags(unsigned *flags) {
  return answer("hipGetDeviceFlags", [&] { return backend().flags(*flags); });
}

HipResult standIn_setDeviceFlags(unsigned flags) {
  return answer("hipSetDeviceFlags", [&] { return backend().setFlags(flags); });
}

HipResult standIn_streamPriorityRange(int *least, int *greatest) {
  return answer("hipDeviceGetStreamPriorityRange",
                [&] { return backend().priorityRange(*least, *greatest); });
}
