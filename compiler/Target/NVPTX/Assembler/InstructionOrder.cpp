//===- InstructionOrder.cpp - Which order takes fewer registers -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Assembler/InstructionOrder.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

namespace regrain::nvptx {

/// With more registers, at most 20 warps of 64 are resident.
static constexpr int32_t manyRegisters = 96;

int32_t spilledBytes(const Resources &resources) {
  return std::max(0, resources.spillStoreBytes) + std::max(0, resources.spillLoadBytes);
}

bool takesManyRegisters(const KernelCode &kernel) {
  return kernel.resources.registers > manyRegisters || spilledBytes(kernel.resources) > 0;
}

bool takesFewer(llvm::ArrayRef<KernelCode> candidate, llvm::ArrayRef<KernelCode> other) {
  auto costOf = [](llvm::ArrayRef<KernelCode> kernels) {
    int64_t spilled = 0, occupancy = 0;
    for (const KernelCode &kernel : kernels) {
      spilled += spilledBytes(kernel.resources);
      occupancy += std::max(0, kernel.resources.occupancyPercent);
    }
    return std::tuple(spilled, -occupancy);
  };
  return costOf(candidate) < costOf(other);
}

} // namespace regrain::nvptx
