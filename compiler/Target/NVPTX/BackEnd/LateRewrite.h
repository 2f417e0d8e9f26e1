//===- LateRewrite.h - A rewrite in the code generator ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/Pass.h"

namespace regrain::nvptx {

/// A pass of LLVM's code generator that rewrites each function. What follows uses results of the
/// stack protector, which the rewrite has to leave as they are.
template <bool (*rewrite)(llvm::Function &)> struct LateRewrite final : llvm::FunctionPass {
  static inline char ID = 0;
  LateRewrite() : FunctionPass(ID) {}

  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override { usage.setPreservesAll(); }
  bool runOnFunction(llvm::Function &function) override { return rewrite(function); }
};

} // namespace regrain::nvptx
