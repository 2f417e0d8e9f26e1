//===- properties.cpp - An AMD GPU: properties ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/gpu/properties.h"
#include "runtime/image/launch_limits.h"
#include "runtime/plugins/hip/device.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace regrain::hip {
namespace {

/// Returns hipDeviceAttribute_t of `attribute`, if HIP knows it.
std::optional<int> inHip(cudaDeviceAttr attribute) {
  switch (attribute) {
#define REGRAIN_HIP_ATTRIBUTE(name, number)                                                        \
  case cudaDevAttr##name:                                                                          \
    return number;
#include "runtime/plugins/hip/attributes.def"
  default:
    return std::nullopt;
  }
}

bool isOfCuda(cudaDeviceAttr attribute) {
  switch (attribute) {
#define REGRAIN_CUDA_DEVICE_ATTRIBUTE(name, value)                                                 \
  case cudaDevAttr##name:                                                                          \
    return true;
#include "include/cuda/regrain_device_attributes.def"
  default:
    return false;
  }
}

/// These are CUDA's own limits where AMD's hardware has wider ones: programs rely on errors
/// beyond them, and launches need no check for overflow.
int bound(cudaDeviceAttr attribute, int value) {
  switch (attribute) {
  case cudaDevAttrMaxBlockDimZ:
    return std::min<int>(value, maxBlockSize[2]);
  case cudaDevAttrMaxGridDimY:
  case cudaDevAttrMaxGridDimZ:
    return std::min<int>(value, maxGridSize[1]);
  default:
    return value;
  }
}

/// The name is that of the board, which the library may not know, and of the
/// chip, for which code is compiled.
std::string describeDevice(std::string_view board, std::string_view chip) {
  std::string name(board.empty() ? "AMD GPU" : board);
  return name + " (" + std::string(chip.substr(0, chip.find(':'))) + ")";
}

/// Returns the multiples in bytes in which a chip gives local memory to blocks, by LLVM's guide to
/// AMD's GPUs. Of chips whose units share the memory in pairs, it is not known what blocks share.
std::optional<uint64_t> granuleOf(std::string_view chip) {
  constexpr uint64_t ofGfx9 = 512, ofGfx950 = 1280;
  if (!chip.starts_with("gfx9"))
    return std::nullopt;
  return chip.starts_with("gfx950") ? ofGfx950 : ofGfx9;
}

} // namespace

std::optional<SharedMemoryUnits> HipDevice::sharedMemoryUnits() {
  std::optional<uint64_t> granule = granuleOf(chip);
  int total = 0, most = 0;
  if (!granule || attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, total) != cudaSuccess ||
      attribute(cudaDevAttrMaxSharedMemoryPerBlock, most) != cudaSuccess || total <= 0)
    return std::nullopt;
  return SharedMemoryUnits{0, *granule, uint64_t(most), {uint64_t(total)}};
}

cudaError_t HipDevice::attribute(cudaDeviceAttr attribute, int &value) {
  if (!isOfCuda(attribute))
    return cudaErrorInvalidValue;
  switch (attribute) {
  case cudaDevAttrWarpSize: // the code assumes this, even on hardware with waves of 64
    value = 32;
    return cudaSuccess;
  case cudaDevAttrComputeCapabilityMajor:
    value = capabilityMajor;
    return cudaSuccess;
  case cudaDevAttrComputeCapabilityMinor:
    value = capabilityMinor;
    return cudaSuccess;
  case cudaDevAttrCooperativeLaunch:
    if (library.launchCooperativeKernel)
      break;
    value = 0;
    return cudaSuccess;
  default:
    break;
  }
  value = 0;
  std::optional<int> number = inHip(attribute);
  if (!number)
    return cudaSuccess;
  HipResult result = library.deviceGetAttribute(&value, *number, ordinal);
  if (result == HipResult::InvalidValue) { // this version does not know the attribute
    value = 0;
    return cudaSuccess;
  }
  value = bound(attribute, value);
  return toRuntime(result);
}

cudaError_t HipDevice::properties(cudaDeviceProp &out) {
  out = {};
  HipResult result = library.deviceGetName(out.name, sizeof out.name, ordinal);
  if (result == HipResult::Success)
    result = library.deviceTotalMem(&out.totalGlobalMem, ordinal);
  if (result == HipResult::Success && library.deviceGetUuid)
    result = library.deviceGetUuid(&out.uuid, ordinal);
  if (result != HipResult::Success)
    return toRuntime(result);
  std::string name = describeDevice(out.name, chip);
  name.copy(out.name, sizeof out.name - 1);
  addAttributes(*this, out);
  return cudaSuccess;
}

} // namespace regrain::hip
