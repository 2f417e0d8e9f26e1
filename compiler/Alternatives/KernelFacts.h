//===- KernelFacts.h - What keys of grains ask of a kernel ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Alternatives/Statistics.h"
#include "runtime/image/grain_keys.h"

namespace regrain {

/// Returns whether the pieces that are proposed for a kernel with `fact` are worth it.
[[nodiscard]] bool holds(KernelFact fact, const Statistics &statistics);

/// Returns whether the threads of a plane read shared memory far more often than global memory.
[[nodiscard]] bool readsMuchShared(const Statistics &statistics);

} // namespace regrain
