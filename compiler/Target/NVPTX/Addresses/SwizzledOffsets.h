//===- SwizzledOffsets.h - Constant parts of swizzled addresses -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles in shared memory are swizzled so that the lanes of a warp meet different banks: the row is
// added to an address, and low bits of it are exchanged by an `xor` with the column. In unrolled
// code, each pair of a row and a column has an address of its own, (base + row) ^ column. LLVM
// computes all of them in front of the loop, which then holds dozens of registers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Adds the constant behind the `xor` in addresses whose `xor` changes only bits that the constant
/// does not: (x + K) ^ y becomes (x ^ y) + K if K is a multiple of a power of two that is greater
/// than y. The constants become offsets of the accesses, which share what is left. That is done for
/// loops that would hold very many such addresses. Those that change in the loop stay.
class SwizzledOffsets : public llvm::PassInfoMixin<SwizzledOffsets> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
