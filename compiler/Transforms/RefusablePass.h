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

/// Ends a pass whose transform was refused and has left the kernel unchanged. If the transform is
/// `required`, this reports the refusal as an error, notes it on the kernel, and fails; otherwise
/// it emits a remark.
llvm::LogicalResult settle(grain::KernelOp kernel, const Refusal &refusal, bool required);

/// Returns the refusal that `settle` has noted on the kernel, or nothing if there is none.
std::optional<Refusal> refusalOf(grain::KernelOp kernel);

/// Transforms every nest of the kernel, including those of alternatives. `given` are one to three
/// numbers of at least 1; otherwise this fails with an error.
llvm::LogicalResult
transformAll(grain::KernelOp kernel, llvm::ArrayRef<uint32_t> given, bool required,
             llvm::function_ref<llvm::LogicalResult(grain::BlocksOp &, const Factors &, Refusal &)>
                 transform);

} // namespace regrain
