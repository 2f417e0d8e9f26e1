//===- KeptRows.h - Launches whose rows fit into registers ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "runtime/image/grain.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace regrain {

/// Returns what must be known of the launches seen so that `kernel` can keep its rows in registers
/// (rows=registers): the block, those integer arguments that matter, and, if they must be, that
/// pointers are in different allocations and how far they are aligned. This tries it on copies of
/// the kernel.
[[nodiscard]] std::vector<KnownLaunch> launchesWithRows(grain::KernelOp kernel,
                                                        llvm::ArrayRef<KnownLaunch> seen);

} // namespace regrain
