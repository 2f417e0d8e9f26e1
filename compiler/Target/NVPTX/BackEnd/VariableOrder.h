//===- VariableOrder.h - The order of variables in PTX ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable in PTX stands behind those that its initial value names. LLVM writes the ones that
// a single value names in the order of their addresses in this process, which differs from run to
// run; the list of variables that must be kept names all that the host knows. ptxas gives them
// places in this order, and loads two neighbours by one instruction where it knows that the first
// one is aligned for both.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace regrain::nvptx {

/// Orders the variables by alignment, largest first, each behind those that its initial value
/// names. The lists of what must be kept come last.
void orderVariables(llvm::Module &module);

} // namespace regrain::nvptx
