//===- RegisterLiveness.h - Which registers are live where ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/MachineFunction.h"

namespace llvm {
class MachineLoop;
} // namespace llvm

namespace regrain::nvptx {

/// The virtual registers of a function in SSA form that are live at the beginnings of its blocks.
class RegisterLiveness {
public:
  explicit RegisterLiveness(const llvm::MachineFunction &function);

  /// Finds them again after instructions have moved.
  void recompute();

  /// Returns the indices of the registers that are live into the block, without those of its PHIs.
  [[nodiscard]] const llvm::BitVector &liveInto(const llvm::MachineBasicBlock &block) const {
    return live[block.getNumber()];
  }

  /// Returns the most registers of 32 bits that are live at once within the loop.
  [[nodiscard]] unsigned most(const llvm::MachineLoop &loop) const;

  /// Returns how many registers of 32 bits the virtual register takes; none for a predicate.
  [[nodiscard]] unsigned sizeOf(llvm::Register used) const;

private:
  llvm::BitVector liveOutOf(const llvm::MachineBasicBlock &block) const;
  unsigned most(const llvm::MachineBasicBlock &block) const;

  const llvm::MachineFunction &function;
  std::vector<llvm::BitVector> live; ///< by the numbers of the blocks
};

} // namespace regrain::nvptx
