//===- RowIndices.h - Indices that step from row to row ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `b[k * n + column]` in a loop over k steps by n elements. As a pointer that is incremented by a
// distance, this is one instruction for each access. LLVM makes that pointer if it knows that the
// index of 32 bits does not overflow, and its pass that reorders sums drops what says so. The index
// then takes an addition, and its extension another instruction. nvcc steps by pointers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Computes such an index in 64 bits, in innermost loops whose length is not known: a sum with the
/// product of the loop's counter and of what the loop does not change. It is exact, because a
/// product or a sum that is widened is one that does not overflow.
///
/// Of several such indices in a loop, LLVM would hold one base of 64 bits, and an offset for each
/// access of the unrolled loop. Up to four become pointers that step with the loop, if
/// `usesPointers`, and if nothing else in them changes in the loop (KeptPointers.h); others stay.
/// So do up to four addresses of one index, as of several arrays: LLVM would hold a base of each
/// array for each access of the unrolled loop.
///
/// In a loop with conditions but no rows, `b[column + k]` is such an index as well: LLVM forgets
/// that the sum does not overflow, and each access of the unrolled loop forms its own address. A
/// counter of 64 bits then steps beside that of 32, which the conditions ask. No more than four
/// indices are widened.
class WidenRowIndices : public llvm::PassInfoMixin<WidenRowIndices> {
public:
  explicit WidenRowIndices(bool usesPointers) : usesPointers(usesPointers) {}

  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  bool usesPointers;
};

} // namespace regrain::nvptx
