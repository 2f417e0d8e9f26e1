//===- SelectAlternative.h - One of several grains --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Replaces the kernel's `grain.alternatives` by its region `id`. A kernel
/// without alternatives stays. Fails, with an error, where the id is not there.
llvm::LogicalResult selectAlternative(grain::KernelOp kernel, llvm::StringRef id);

} // namespace regrain
