//===- LoopRests.h - The rest of an inner loop's iterations -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of unknown length that is unrolled by 4 has a loop behind it for the rest of the
// iterations: 3 at most. LLVM keeps that loop, and says that it must not be unrolled. If the loop
// lies in another one, the rest is run again and again, and for small lengths, such as those of
// filters, it is all there is. nvcc unrolls it there, and keeps it in outermost loops.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// The loop metadata that asks for it. LLVM gives it to the loop for the rest.
inline constexpr char unrolledRest[] = "regrain.rest";

/// Unrolls the loops with that metadata completely, if the number of iterations has a bound.
class UnrollRests : public llvm::PassInfoMixin<UnrollRests> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
