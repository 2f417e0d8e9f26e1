//===- MissingInstructions.h - What some chips do not have ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Refusal/Refusal.h"
#include "llvm/IR/Module.h"
#include <string>

namespace regrain::nvptx {

/// Refuses each of `kernels` that has an instruction or register of PTX that chips of the
/// architecture ("sm_80") do not have:
///   - those for clusters, and atomics of 16 bytes, before compute capability 9.0;
///   - shuffles and votes without a mask from compute capability 7.0 on.
void findMissingInstructions(const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                             llvm::StringRef arch, RefusedKernels &refused);

} // namespace regrain::nvptx
