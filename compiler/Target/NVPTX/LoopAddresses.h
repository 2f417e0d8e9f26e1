//===- LoopAddresses.h - How a loop forms its addresses ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's NVPTX target keeps 32-bit induction variables, as a 64-bit addition
// counts double, and strength reduction turns their addresses into pointers that
// move. The machine adds a scaled 32-bit index to a 64-bit base in one instruction
// (IMAD.WIDE), which both hide from ptxas now and then. What is faster differs
// from kernel to kernel (docs/decisions/0024), so either is a grain.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/Passes/PassBuilder.h"

namespace regrain::nvptx {

/// Has the pipelines of `builder` widen induction variables that are extended in
/// their loops, at no regard to what an addition costs.
void widenInductions(llvm::PassBuilder &builder);

/// While it lives, code generated in `context` keeps its indices: nothing is
/// strength-reduced.
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
