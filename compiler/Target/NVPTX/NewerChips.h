//===- NewerChips.h - Instructions that newer chips have --------*- C++ -*-===//
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

/// Refuses each of `kernels` that has PTX's instructions or registers for clusters, or atomics of
/// 16 bytes, if chips of the architecture ("sm_80") do not have them.
void findNewerInstructions(const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                           llvm::StringRef arch, RefusedKernels &refused);

} // namespace regrain::nvptx
