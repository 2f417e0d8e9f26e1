//===- ThreadSplits.h - Grains at which lanes share threads -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "runtime/image/grain.h"
#include <vector>

namespace regrain {

/// Returns the grains at which a warp shares each thread, if a thread has a loop over neighbouring
/// elements that can be shared, or several warps share each warp, if its lanes work together and
/// have such a loop. `reordersSums` says that grains may form sums in another order.
[[nodiscard]] std::vector<Grain> threadSplitsOf(grain::KernelOp kernel, bool reordersSums);

} // namespace regrain
