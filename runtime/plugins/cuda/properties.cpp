//===- properties.cpp - An NVIDIA GPU: properties -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/gpu/properties.h"
#include "runtime/plugins/cuda/device.h"

#include <cstring>
#include <span>

namespace regrain::cuda {
namespace {

/// The first driver that takes the carve-out as an attribute of a launch.
constexpr int firstWithCarveout = 12050;

/// Returns the sizes in KiB that shared memory can have on a multiprocessor, by the tables of
/// CUDA's programming guide; none if this version does not know the device.
std::span<const unsigned> carveoutsOf(int capability) {
  static constexpr unsigned volta[] = {8, 16, 32, 64, 96}, turing[] = {32, 64},
                            large[] = {8, 16, 32, 64, 100, 132, 164, 196, 228};
  constexpr size_t ofA100 = 7, ofSmall = 5;
  switch (capability) {
  case 70:
  case 72:
    return volta;
  case 75:
    return turing;
  case 80:
  case 87:
    return std::span(large).first(ofA100);
  case 86:
  case 89:
  case 120:
  case 121:
    return std::span(large).first(ofSmall);
  case 90:
  case 100:
  case 103:
    return large;
  default:
    return {};
  }
}

} // namespace

std::optional<SharedMemoryUnits> CudaDevice::sharedMemoryUnits() {
  int total = 0, reserved = 0, most = 0, major = 0, minor = 0;
  for (auto [wanted, value] : {std::pair(cudaDevAttrMaxSharedMemoryPerMultiprocessor, &total),
                               {cudaDevAttrReservedSharedMemoryPerBlock, &reserved},
                               {cudaDevAttrMaxSharedMemoryPerBlockOptin, &most},
                               {cudaDevAttrComputeCapabilityMajor, &major},
                               {cudaDevAttrComputeCapabilityMinor, &minor}})
    if (attribute(wanted, *value) != cudaSuccess)
      return std::nullopt;
  constexpr uint64_t granule = 128;
  SharedMemoryUnits units = {uint64_t(reserved), granule, uint64_t(most), {}};
  int version = 0;
  bool takesCarveout = driver.launchKernelEx && driver.driverGetVersion(&version) == CUDA_SUCCESS &&
                       version >= firstWithCarveout;
  if (takesCarveout)
    for (unsigned kib : carveoutsOf(major * 10 + minor))
      units.sizes.push_back(uint64_t(kib) << 10);
  if (units.sizes.empty() || units.sizes.back() != uint64_t(total))
    units.sizes = {uint64_t(total)};
  return units;
}

cudaError_t CudaDevice::attribute(cudaDeviceAttr attribute, int &value) {
  return toRuntime(driver.deviceGetAttribute(&value, attribute, device));
}

cudaError_t CudaDevice::properties(cudaDeviceProp &out) {
  out = {};
  CUuuid uuid = {};
  CUresult result = driver.deviceGetName(out.name, sizeof out.name, device);
  if (result == CUDA_SUCCESS)
    result = driver.deviceTotalMem(&out.totalGlobalMem, device);
  if (result == CUDA_SUCCESS)
    result = driver.deviceGetUuid(&uuid, device);
  if (result != CUDA_SUCCESS)
    return toRuntime(result);
  std::memcpy(&out.uuid, &uuid, sizeof uuid);
  addAttributes(*this, out);
  return cudaSuccess;
}

} // namespace regrain::cuda
