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

enum class WidenedLoops {
  All,
  Rows, ///< that are unrolled completely, or as far as the program asks, and have an index that
        ///< grows by a step that is not constant
};

/// Makes the pipelines of `builder` widen induction variables that are extended in `loops`,
/// regardless of the cost of an addition. If the loop is unrolled completely, its variable becomes
/// constants, so that nothing is added. What is computed from it is wide then: `base + n * row` for
/// n = 0, 1, 2, ... becomes a chain of pointers with one addition each. With 32 bits, LLVM no
/// longer knows that the sums do not overflow, and computes and holds each of the addresses.
void widenInductions(llvm::PassBuilder &builder, WidenedLoops loops);

/// During its lifetime, code generated in `context` keeps frozen counters of loops frozen, because
/// HideDividends relies on this. With LoopAddresses::Indexed, it keeps its indices: nothing is
/// strength-reduced.
class LoopGate final : public llvm::OptPassGate {
public:
  LoopGate(llvm::LLVMContext &context, bool keepsIndices);
  ~LoopGate() override;
  LoopGate(const LoopGate &) = delete;
  LoopGate &operator=(const LoopGate &) = delete;

  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef unit) override;
  bool isEnabled() const override { return true; }

private:
  llvm::LLVMContext &context;
  llvm::OptPassGate &previous;
  bool keepsIndices;
};

} // namespace regrain::nvptx
