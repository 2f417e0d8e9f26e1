//===- Polls.h - Plain loads that threads wait by ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of a warp that wait for others have to let these run. ptxas sees to that in loops with
// volatile or atomic accesses (by an instruction YIELD), and not in
//
//   while (*flag == 0)
//     __threadfence();
//
// where lanes of one warp then wait for ever. With nvcc such loops end or do not, as the
// branches happen to lie.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// Makes plain loads volatile that stand in the same loop as a fence and whose address is the
/// same in all rounds. Beside a fence that costs little. To be run after LLVM's passes.
void markPolls(llvm::Module &module);

} // namespace regrain::nvptx
