//===- Generator.h - Random kernels that are well defined -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Ast.h"

namespace regrain::fuzz {

/// The kernel of a seed. It obeys Rules.h.
Kernel generate(uint64_t seed);

} // namespace regrain::fuzz
