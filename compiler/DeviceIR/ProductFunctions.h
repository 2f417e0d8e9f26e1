//===- ProductFunctions.h - Functions that end in a product -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last operation of libdevice's expf is a product, which nvcc fuses with a sum outside, as in
// 1 + expf(x). Which products are fused is decided while the library's functions are calls. So the
// product is written as one of two calls, "__nv_expf.multiplicand" and "__nv_expf.multiplier",
// each of which returns one factor. They get their definitions when the library is linked.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Returns whether `call` calls a function of libdevice that ends in a product, and the product may
/// be contracted.
bool returnsProduct(const llvm::CallInst &call);

/// Replaces `call` by a product of two calls, which may be contracted.
void exposeProduct(llvm::CallInst &call);

/// Declares the functions whose factors `module` asks for, so that linking a library defines them.
void declareProductFunctions(llvm::Module &module);

/// Defines factors by the functions that are defined in `module` and end in a product.
void defineFactors(llvm::Module &module);

/// Undoes exposeProduct for libraries whose functions do not end in a product: the multiplicand is
/// the function's result, and the multiplier 1, with which a fused operation rounds like a sum.
void joinFactors(llvm::Module &module);

/// What a factor's function adds to the name of the function.
inline constexpr llvm::StringLiteral multiplicandSuffix = ".multiplicand",
                                     multiplierSuffix = ".multiplier";

} // namespace regrain
