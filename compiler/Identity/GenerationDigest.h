//===- GenerationDigest.h - How a target's code is generated ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's hash (KernelHash.h) says what the kernel does, whatever it is compiled for. This
// digest says what else determines a target's code: chip, optimisation level, register limit,
// options and versions of the assembler, libraries. With the same compiler, both are the same
// exactly if the code is.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Target.h"

namespace regrain {

/// Returns 32 hexadecimal digits, which do not depend on the order of the inputs.
[[nodiscard]] std::string digestOf(std::vector<CodeInput> inputs);

} // namespace regrain
