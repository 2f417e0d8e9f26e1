//===- AddressChains.h - Addresses of many steps ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile of a matrix is found in steps: the block's row, its column, the warp's tile, the thread's
// element. LLVM's load-store vectoriser joins neighbours that begin at the same object, and follows
// an address back for six steps. With as many, it stops at another one for the neighbour, whose
// offset is one step more.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Adds up the offsets of steps that are used by the next step alone, in addresses of loads and
/// stores that have too many steps. Constant offsets stay steps of their own, because instructions
/// hold them.
class ShortenAddressChains : public llvm::PassInfoMixin<ShortenAddressChains> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
