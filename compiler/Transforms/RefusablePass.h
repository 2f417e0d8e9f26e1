//===- RefusablePass.h - A pass that may be refused -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/Coarsening.h"
#include "compiler/Transforms/Passes.h"

namespace regrain {

/// A step of a grain that was refused.
struct RefusedStep {
  std::string name; ///< the transform's, such as "coarsen-threads"
  Refusal refusal;
};

/// Tells the user the reason and the remedy, as a remark where the refusal arises.
void emitRemark(const RefusedStep &step, mlir::MLIRContext *context);

/// Ends `pass`, whose transform has left `kernel` unchanged if there is a refusal. If the transform
/// is `required`, this reports the refusal as an error, notes it on the kernel, and fails;
/// otherwise it emits a remark.
llvm::LogicalResult settle(const mlir::Pass &pass, grain::KernelOp kernel,
                           std::optional<Refusal> refusal, bool required);

/// Returns the step that `settle` has noted on the kernel, or nothing if there is none.
[[nodiscard]] std::optional<RefusedStep> refusedStepOf(grain::KernelOp kernel);

/// Transforms every nest of the kernel, including those of alternatives. `given` are one to three
/// numbers of at least 1; otherwise this fails with an error.
llvm::LogicalResult transformAll(
    const mlir::Pass &pass, grain::KernelOp kernel, llvm::ArrayRef<uint32_t> given, bool required,
    llvm::function_ref<std::optional<Refusal>(grain::BlocksOp &, const Factors &)> transform);

} // namespace regrain
