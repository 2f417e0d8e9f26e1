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

/// Ends a pass whose transform was refused and has left the kernel as it was. Where the transform
/// is `required`, the refusal is an error and noted on the kernel, and this fails; else it is a
/// remark.
llvm::LogicalResult settle(grain::KernelOp kernel, const Refusal &refusal, bool required);

/// The refusal that `settle` has noted on the kernel; nothing where there is none.
std::optional<Refusal> refusalOf(grain::KernelOp kernel);

/// Transforms every nest of the kernel, those of alternatives too. `given` are one to three
/// numbers of at least 1; it fails with an error where they are not.
llvm::LogicalResult
transformAll(grain::KernelOp kernel, llvm::ArrayRef<uint32_t> given, bool required,
             llvm::function_ref<llvm::LogicalResult(grain::BlocksOp &, const Factors &, Refusal &)>
                 transform);

} // namespace regrain
