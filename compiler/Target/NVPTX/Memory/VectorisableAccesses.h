//===- VectorisableAccesses.h - Accesses that can be joined -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's load-store vectoriser joins aligned neighbours between which nothing may end the thread.
// LLVM infers alignment from the bits of an address, and follows six operations for that; the
// address of an element in a row that is found by a division has more. It does not know that
// assembly which computes a value, such as a conversion to 8 bits, comes to an end.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Aligns loads and stores as far as the multiple of their address tells, up to the widest access,
/// and says that assembly without side effects returns.
struct VectorisableAccesses : llvm::PassInfoMixin<VectorisableAccesses> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace regrain::nvptx
