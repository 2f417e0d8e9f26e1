//===- GenerationDigest.h - How a target's code is generated ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's hash (KernelHash.h) says what it does, whatever it is compiled for and how. Beside it
// this digest says what else decides on a target's code: chip, level of optimisation, limit of
// registers, options and versions of the assembler, libraries. Both together, with the compiler,
// are the same exactly where the code is.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Target.h"

namespace regrain {

/// 32 hexadecimal digits. The order of the inputs does not change it.
[[nodiscard]] std::string digestOf(std::vector<CodeInput> inputs);

} // namespace regrain
