//===- FuseProducts.h - Fix which products are fused ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA lets a product and a sum become one fused multiply-add, and LLVM decides
// late, per basic block: moving a sum away from its product changes the result.
// Here the decision is made once, before a kernel is re-grained, so that every
// grain computes the same bits. The choice is the one that LLVM 19's NVPTX
// code generator makes for the original (DAGCombiner::visitFADDForFMACombine
// and visitFSUBForFMACombine with aggressive fusion).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"

namespace regrain {

/// Turns each sum or difference of float or double that may be contracted with
/// a product of its block into a call of llvm.fmuladd. A target that forms no
/// fused multiply-adds splits the call again, with the result of the parts.
void fuseProducts(llvm::Function &function);

} // namespace regrain
