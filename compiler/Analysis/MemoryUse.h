//===- MemoryUse.h - What a kernel writes where, and reaches ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For whom it is told, the tuner: it lets a word differ in its last places where the
// word is rounded, and nowhere else. So a store counts as floating-point where what
// it stores may come from arithmetic of that type, through choices, loops, lanes and
// memory of the block. It does not count where bits of something else are in it
// (__int_as_float, integers in the same array), where its word is a copy of a word in
// memory and nothing but that, and where what made it is not known (calls of functions
// that are not inlined, assembly).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "runtime/image/memory_use.h"

namespace regrain {

/// Of memory that outlives the launch.
[[nodiscard]] MemoryUse memoryUseOf(grain::KernelOp kernel);

} // namespace regrain
