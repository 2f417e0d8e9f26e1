//===- PlainArithmetic.h - Intrinsics as plain arithmetic -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace regrain {

/// Replaces the intrinsics that LLVM makes of common expressions with integers, such as a
/// difference that stops at zero or a test for a power of two, by the operations of a launch rule.
void makeArithmeticPlain(llvm::Function &function);

} // namespace regrain
