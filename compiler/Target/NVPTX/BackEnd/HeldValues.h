//===- HeldValues.h - Values that loops hold for rare uses ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM computes in front of a loop what does not change in it, also what only a rare branch needs,
// such as the slow paths of the sine in the cases of a switch. Each such value occupies registers
// throughout. ptxas then gives a thread so many registers that fewer blocks are resident. nvcc
// computes such values where they are used.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace llvm {
class Pass;
} // namespace llvm

namespace regrain::nvptx {

/// Returns a pass over machine instructions in SSA form. If a loop holds many registers, it moves
/// values into blocks of the loop that are run no more often than the loop is entered.
llvm::Pass *createSinkHeldValues();

} // namespace regrain::nvptx
