//===- BranchSides.h - Which side of a condition is jumped to ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of two sides that meet again, ptxas can predicate the one that is not jumped to, and keeps a
// branch around the other one. nvcc jumps to what the program runs if the condition holds. LLVM's
// selection of instructions inverts the condition if that side follows in the code.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace llvm {
class MachineFunctionPass;
} // namespace llvm

namespace regrain::nvptx {

/// Returns a pass over machine instructions behind all that move blocks. Where both sides of a
/// branch are one block that meet in the same one, and the side for the condition follows in the
/// code, it is jumped to, on the opposite of the inverted condition.
llvm::MachineFunctionPass *createJumpToTrueSides();

} // namespace regrain::nvptx
