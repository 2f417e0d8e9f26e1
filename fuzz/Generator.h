//===- Generator.h - Random kernels that are well defined -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Ast.h"

namespace regrain::fuzz {

/// Returns the kernel of a seed, which obeys Rules.h.
Kernel generate(uint64_t seed);

} // namespace regrain::fuzz
