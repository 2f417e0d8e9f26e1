//===- MathCalls.h - SLEEF's functions --------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of regrain_sleef_<name> become calls of SLEEF's scalar function, with the vector forms of
// the architecture attached for the loop vectoriser. All of them are SLEEF's deterministic variants
// (finz_ with fused multiply-add, cinz_ without): a lane and a scalar give the same bits.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/CPU/CPU.h"
#include "llvm/IR/Module.h"

namespace regrain::cpu {

void bindMathCalls(llvm::Module &module, CPULevel level);

/// Returns true for a function that SLEEF, libm or the plugin supplies when the image is loaded.
bool isSuppliedAtLoad(llvm::StringRef name);

} // namespace regrain::cpu
