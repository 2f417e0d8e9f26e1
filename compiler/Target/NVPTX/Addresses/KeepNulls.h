//===- KeepNulls.h - Null pointers beside short addresses -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A generic pointer is null or points to an object. LLVM's inference of address spaces converts
// both to the object's space. In 32 bits (docs/decisions/0106-short-addresses.md), a converted null
// may equal the address of an object, and is not null once it is generic again. The same is true of
// other numbers that stand for no object, such as (float *)-1.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Makes such numbers values of which LLVM knows nothing. The pointers then stay generic. To be run
/// when nothing is folded any more, and before address spaces are inferred.
class KeepNulls : public llvm::PassInfoMixin<KeepNulls> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
