//===- MarchedGrains.h - Blocks that run in steps ---------------*- C++ -*-===//
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

/// Returns the grains at which blocks run in steps along z or y, and keep a window of what they
/// read in registers; none if no step reads again what another has read. The first are those that
/// are likely best.
[[nodiscard]] std::vector<Grain> marchedGrainsOf(grain::KernelOp kernel);

} // namespace regrain
