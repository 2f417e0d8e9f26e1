//===- ShareCode.h - Grains that have the code of others --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Selection/Build.h"

namespace regrain {

/// Adds what became of the grains with max-resident=, once all others are compiled: such a grain is
/// there on the targets on which the grain without it is, and the runtime launches that grain's
/// code. It is refused for kernels that read how much shared memory a launch has.
void shareCode(Build &build);

} // namespace regrain
