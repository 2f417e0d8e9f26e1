//===- SelectAlternative.h - One of several grains --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Replaces the kernel's `grain.alternatives` by its region `id`. A kernel without alternatives is
/// not changed. Fails with an error if there is no such region.
llvm::LogicalResult selectAlternative(grain::KernelOp kernel, llvm::StringRef id);

} // namespace regrain
