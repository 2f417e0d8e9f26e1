//===- Forms.h - What a random kernel has in it -----------------*- C++ -*-===//
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

/// Forms that are rare by chance and worth counting: what divergent code writes
/// into a flag and decides a branch behind a barrier, where that is inside of a
/// loop or behind it, loops left between barriers, indices clamped to limits.
std::set<std::string> formsOf(const Kernel &kernel);

} // namespace regrain::fuzz
