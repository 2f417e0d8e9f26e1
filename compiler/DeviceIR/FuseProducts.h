//===- FuseProducts.h - Fix which products are fused ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA lets a product and a sum become one fused multiply-add, and LLVM and ptxas decide late: a
// pass that moves a sum away from its product changes the result. So the decision is made once, by
// fuseProducts, in the module from which every grain is made, and for NVIDIA GPUs the original as
// well. There, no later step may make another one
// (docs/decisions/0076-one-decision-about-products.md).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"

namespace regrain {

/// Turns sums and differences that may be contracted with a product into calls of llvm.fmuladd.
/// A product is fused if all its uses are such sums, so that it is not computed itself. One of the
/// sum's own block is also fused if it is added elsewhere, and for AMD GPUs if anything else uses
/// it, as LLVM 19's code generators do it (DAGCombiner::visitFADDForFMACombine and
/// visitFSUBForFMACombine with aggressive fusion). nvcc does not.
void fuseProducts(llvm::Function &function);

/// Allows every sum and every product of `function` to be contracted.
void allowContraction(llvm::Function &function);

/// Carries the decision out on a target. A call of llvm.fmuladd becomes llvm.fma if `hasFused`
/// returns true for its type, and a product and a sum otherwise; what is not fused may not be
/// contracted any more. llvm.fmuladd itself would not do: LLVM rounds the product of two constants.
void settleProducts(llvm::Module &module, llvm::function_ref<bool(llvm::Type *)> hasFused);

/// Marks a module in which fuseProducts has seen all functions.
void markProductsFixed(llvm::Module &module);
bool areProductsFixed(const llvm::Module &module);

} // namespace regrain
