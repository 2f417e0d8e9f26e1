//===- Space.h - Which grains are worth compiling ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Alternatives/Statistics.h"
#include "runtime/image/grain.h"
#include <vector>

namespace regrain {

/// Grains for a kernel, without the original, in the dimensions that it reads:
///   - block factors 2 to 9 and 16, 16 in all (the published peaks lie at 7 and
///     9; any factor is legal), with thread factors 2, 4, 8, 8 in all (they must
///     divide the block of the launch);
///   - contiguous thread factors in x where accesses may then be widened;
///   - 2, 4, 8 or 16 blocks fused where blocks are small (launch bounds under
///     smallBlock) or of unknown size, with or without one more factor;
///   - blocks of 64 to 512 threads cut anew where no thread works with another,
///     with or without one more factor.
///
/// Best guess first, so that a prefix is a sensible space at any budget. The
/// order is by tiers, and in a tier by the prediction of Model.h. Factors have a
/// rung: 2; 4; 3 and 8; 7 and 9; the others; a shape of 256 threads is on the
/// first, one of more or fewer on the fourth. The tier of a grain is the sum of its rungs,
/// and one more for each factor after the first; what is predicted to be slower
/// than the original by a quarter or more stands three tiers later. So a small
/// budget covers each kind of grain at small factors, one dimension before two,
/// and the model says which of them come first.
[[nodiscard]] std::vector<Grain> enumerateGrains(const Statistics &statistics);

/// Blocks of fewer threads fill a multiprocessor badly.
inline constexpr unsigned smallBlock = 128;

} // namespace regrain
