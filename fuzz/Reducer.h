//===- Reducer.h - The smallest kernel that still fails ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Ast.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace regrain::fuzz {

/// Kernels that are one step smaller, the largest steps first; each obeys
/// Rules.h.
std::vector<Kernel> smallerForms(const Kernel &kernel);

/// Which of some kernels fails as the one that is reduced does; nothing where
/// none does, or time is up.
using FindFailing = llvm::function_ref<std::optional<size_t>(llvm::ArrayRef<Kernel>)>;

/// Takes steps for as long as one leads to a kernel that fails. `together` forms
/// are tried at once.
Kernel reduce(const Kernel &kernel, size_t together, FindFailing findFailing);

} // namespace regrain::fuzz
