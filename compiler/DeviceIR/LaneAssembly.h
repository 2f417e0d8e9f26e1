//===- LaneAssembly.h - Assembly that transforms know -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub writes some operations of warps in assembly: the number of a lane, and the steps of its sums,
// which add the value of another lane if there is such a lane:
//
//   shfl.sync.down.b32 r|p, $1, $2, $3, $5;  @p add.f32 r, r, $4;  mov.f32 $0, r;
//
// Grain IR has a call in place of assembly. Its name tells what the assembly does, because
// transforms see no text.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/InlineAsm.h"
#include <string>

namespace regrain {

/// Returns the name of a call that stands for such assembly (LaneAssemblyNames.h); an empty string
/// if the assembly does anything else. Sums keep subnormal numbers, whatever the options are.
[[nodiscard]] std::string nameOfLaneAssembly(const llvm::InlineAsm &assembly);

} // namespace regrain
