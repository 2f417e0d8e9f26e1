//===- Raisable.h - Which kernels grain IR can express ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Refusal/Refusal.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"
#include <optional>

namespace regrain {

/// Refuses a prepared kernel that cannot be raised, at the instruction that prevents it. Examines
/// the kernel and the functions that it still calls for
/// - indirect branches, asm goto and exceptions, which have no structured form;
/// - indirect calls and addresses of functions, with which it is unknown what runs;
/// - a kernel that refers to itself;
/// - calls of functions that take part in the nest but are recursive and so not inlined.
///
/// `cooperating` is findCooperating() of the module.
[[nodiscard]] std::optional<Refusal>
checkRaisable(llvm::Function &kernel, const llvm::DenseSet<const llvm::Function *> &cooperating);

} // namespace regrain
