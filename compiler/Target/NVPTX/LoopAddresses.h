//===- LoopAddresses.h - How a loop forms its addresses ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's NVPTX target keeps 32-bit induction variables, because a 64-bit addition costs twice as
// much, and strength reduction turns their addresses into incremented pointers. The hardware adds a
// scaled 32-bit index to a 64-bit base in one instruction (IMAD.WIDE), which both sometimes hide
// from ptxas. Which form is faster differs from kernel to kernel (docs/decisions/0024), so each is
// a grain.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/Passes/PassBuilder.h"

namespace regrain::nvptx {

/// Makes the pipelines of `builder` widen induction variables that are extended in their loops,
/// regardless of the cost of an addition.
void widenInductions(llvm::PassBuilder &builder);

/// During its lifetime, code generated in `context` keeps its indices: nothing is strength-reduced.
class KeepIndices final : public llvm::OptPassGate {
public:
  explicit KeepIndices(llvm::LLVMContext &context);
  ~KeepIndices() override;
  KeepIndices(const KeepIndices &) = delete;
  KeepIndices &operator=(const KeepIndices &) = delete;

  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef unit) override;
  bool isEnabled() const override { return true; }

private:
  llvm::LLVMContext &context;
  llvm::OptPassGate &previous;
};

} // namespace regrain::nvptx
