//===- UniformLoops.h - Loops that threads leave together -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of unknown length that is unrolled has code beside it for the rest of the iterations. LLVM
// adds none to a loop with a barrier or a shuffle: threads whose numbers of iterations differ would
// wait at different places. If all threads of a block that reach the loop run it equally often,
// those that are together at an instruction of the loop are together at each of its copies, so it
// is unrolled like any other loop, as by nvcc. The loads of one iteration can then be issued in
// front of the barriers of the one before.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace regrain::nvptx {

/// The loop metadata that asks for it, with the number of iterations at a time.
inline constexpr char unrolledIfUniform[] = "regrain.unroll-if-uniform";

/// Tells the analysis that the counter which ends the loop does not overflow, if the program says
/// so. LLVM does not conclude that if a thread may wait in the loop for ever. But its next
/// iterations do not matter then, and a thread that waits nowhere compares the sum right behind the
/// addition.
void trustCounter(const llvm::Loop &loop, llvm::ScalarEvolution &evolution);

/// Returns how many addresses of the loop's accesses are computed in front of it. nvcc counts them
/// in the size of loops with barriers, such as those over tiles in shared memory.
[[nodiscard]] uint64_t fixedAddresses(const llvm::Loop &loop);

/// Unrolls the loops of kernels with that metadata, if it is proved that the threads of a block
/// leave them in the same iteration. To be run directly behind the pass that marks them: what it
/// told the analysis of their counters counts here, too.
class UnrollUniformLoops : public llvm::PassInfoMixin<UnrollUniformLoops> {
public:
  llvm::PreservedAnalyses run(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
