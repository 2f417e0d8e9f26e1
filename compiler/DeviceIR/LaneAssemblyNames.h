//===- LaneAssemblyNames.h - Names of known assembly ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"

namespace regrain {

/// The number of the lane.
inline constexpr llvm::StringLiteral laneNumberAssembly = "asm.laneid";

/// Sums with the value of a lane above, or below. The operands are the lane's own value, the
/// distance, the clamp of the shuffle, perhaps the value that is added, and the mask of lanes.
inline constexpr llvm::StringLiteral sumDownAssembly = "asm.shfl.down.add";
inline constexpr llvm::StringLiteral sumUpAssembly = "asm.shfl.up.add";

} // namespace regrain
