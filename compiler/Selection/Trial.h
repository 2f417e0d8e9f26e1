//===- Trial.h - Whether a kernel can have a grain --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "runtime/image/grain.h"

namespace regrain {

/// Returns whether no transform refuses the grain. This transforms a copy of the kernel; `kernel`
/// itself is not changed.
[[nodiscard]] bool isPossible(grain::KernelOp kernel, const Grain &grain);

} // namespace regrain
