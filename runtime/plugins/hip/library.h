//===- library.h - AMD's HIP library, loaded at run time --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types are those of HIP's reference, as far as they are needed. Graphs, their nodes
// and events are opaque handles to both sides and keep CUDA's types; streams do not,
// because of CUDA's special ones: see toHip.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/driver_types.h"

#include <cstdint>
#include <string>

namespace regrain::hip {

/// This is hipError_t, with only the values that this plugin treats specially.
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

/// hipDeviceProp_t grew to 1472 bytes in HIP 6, which moved all fields but the name. Every
/// other property is also an attribute, so only the name of the chip is read here.
union HipProperties {
  struct {
    char before[396];
    char chip[256]; ///< gcnArchName
  } version5;
  struct {
    char before[1160];
    char chip[256];
  } version6;
  char room[4096]; ///< larger than in any version
};

/// hipPointerAttribute_t is the same in all versions except for the numbers of
/// `type`.
struct HipPointerAttributes {
  int type;
  int device;
  void *devicePointer;
  void *hostPointer;
  int isManaged;
  unsigned allocationFlags;
};

/// This is hipHostNodeParams.
struct HipHostNode {
  void (*function)(void *);
  void *data;
};

/// The library's entry points, one pointer each; null where optional and missing.
struct Library {
#define REGRAIN_HIP_CALL(result, name, symbol, parameters) result(*name) parameters;
#include "runtime/plugins/hip/hip_api.def"

  /// Says whether structures and enumerations are those of HIP 6 and later.
  bool hasAbi6() const { return getProperties6 != nullptr; }
};

/// The progress that a probe of a library made.
enum class Usable : uint8_t { Absent, Broken, TooOld, NoDevice, Yes };

/// Loads `name`, fills in `out` and queries devices; unless the result is Yes, `reason` is
/// one sentence.
[[nodiscard]] Usable loadLibrary(const char *name, Library &out, std::string &reason);

/// Returns "hipX failed: " and the library's text for `result`.
[[nodiscard]] std::string describe(const Library &library, const char *call, HipResult result);

[[nodiscard]] cudaError_t toRuntime(HipResult result);

/// The null stream is the legacy one in every version. HIP accepts CUDA's handle for it only
/// since 6.3, and since 7 calls do not check their handles. The handle of the stream per
/// thread is CUDA's.
[[nodiscard]] inline HipStream toHip(cudaStream_t stream) {
  return stream == cudaStreamLegacy ? nullptr : reinterpret_cast<HipStream>(stream);
}

} // namespace regrain::hip
