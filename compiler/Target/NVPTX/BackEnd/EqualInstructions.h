//===- EqualInstructions.h - Values that several blocks compute -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selection of instructions works on one block at a time, so that the blocks of a kernel each get
// their own copies of addresses, shifts and constants. LLVM's MachineCSE joins them, but also
// computes in front of a branch what both sides compute, and a value then occupies a register
// through blocks that do not need it.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace llvm {
class MachineInstr;
class MachineRegisterInfo;
class Pass;
} // namespace llvm

namespace regrain::nvptx {

/// Returns whether the instruction only computes a value from its operands, and is no constant with
/// a fraction.
[[nodiscard]] bool computesValue(const llvm::MachineInstr &instruction,
                                 const llvm::MachineRegisterInfo &registers);

/// Returns a pass over machine instructions in SSA form that takes the place of MachineCSE. What a
/// dominating block has computed is not computed again. Equal constants and addresses of variables
/// in several blocks move to the block that dominates them all. Constants with a fraction stay
/// where they are used: one of 64 bits takes two registers.
llvm::Pass *createJoinEqualInstructions();

} // namespace regrain::nvptx
