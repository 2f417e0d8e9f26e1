//===- library.h - AMD's HIP library, loaded at run time --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types are those of HIP's reference, as far as they are needed. Graphs, their nodes and
// events are opaque handles to both sides and keep CUDA's types; streams do not, because
// of CUDA's special ones: see toHip.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/driver_types.h"

#include <cstdint>
#include <string>

namespace regrain::hip {

/// hipError_t; only the values that this plugin treats in a way of their own.
enum class HipResult : int {
  Success = 0,
  InvalidValue = 1,
  NoDevice = 100,
  InvalidKernelFile = 218,
  NotFound = 500,
  ContextIsDestroyed = 709,
  InvalidChannelDescriptor = 911,
  InvalidTexture = 912,
};

using HipStream = struct HipStreamObject *;
using HipModuleHandle = struct HipModuleObject *;
using HipFunctionHandle = struct HipFunctionObject *;

/// hipDeviceProp_t has grown to 1472 bytes with HIP 6, where all fields but the name have
/// moved. All else can be had as an attribute, so that the name of the chip alone is read.
union HipProperties {
  struct {
    char before[396];
    char chip[256]; ///< gcnArchName
  } version5;
  struct {
    char before[1160];
    char chip[256];
  } version6;
  char room[4096]; ///< more than any version writes
};

/// hipPointerAttribute_t: the same in all versions but for what `type` counts.
struct HipPointerAttributes {
  int type;
  int device;
  void *devicePointer;
  void *hostPointer;
  int isManaged;
  unsigned allocationFlags;
};

/// hipHostNodeParams.
struct HipHostNode {
  void (*function)(void *);
  void *data;
};

/// The library's entry points, one pointer each; null where optional and missing.
struct Library {
#define REGRAIN_HIP_CALL(result, name, symbol, parameters) result(*name) parameters;
#include "runtime/plugins/hip/hip_api.def"

  /// Whether structures and enumerations are those of HIP 6 and later.
  bool hasAbi6() const { return getProperties6 != nullptr; }
};

/// How far a library was of use.
enum class Usable : uint8_t { Absent, Broken, TooOld, NoDevice, Yes };

/// Loads `name` and fills in `out`, asks for devices; unless Yes, `reason` is one sentence.
[[nodiscard]] Usable loadLibrary(const char *name, Library &out, std::string &reason);

/// "hipX failed: " and what the library says of `result`.
[[nodiscard]] std::string describe(const Library &library, const char *call, HipResult result);

[[nodiscard]] cudaError_t toRuntime(HipResult result);

/// The null stream is the legacy one in every version, CUDA's handle for it since 6.3 alone,
/// and since 7 calls do not check what they are given. The handle of the stream per thread is
/// CUDA's.
[[nodiscard]] inline HipStream toHip(cudaStream_t stream) {
  return stream == cudaStreamLegacy ? nullptr : reinterpret_cast<HipStream>(stream);
}

} // namespace regrain::hip
