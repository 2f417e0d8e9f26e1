//===- Forms.h - Rare forms in a random kernel ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Ast.h"
#include <set>
#include <string>

namespace regrain::fuzz {

/// Returns the forms in a kernel that are rare by chance and worth counting: a
/// flag that divergent code writes and that decides a branch after a barrier,
/// inside or after a loop, loops left between barriers, indices clamped to
/// limits, exchanges in cooperative groups, products of matrices.
std::set<std::string> formsOf(const Kernel &kernel);

} // namespace regrain::fuzz
