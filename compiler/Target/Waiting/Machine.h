//===- Machine.h - The meaning of a target's own calls ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each target lowers barriers, warp operations, sizes and shared memory to functions or intrinsics
// of its own. This interface answers what the analyses of waiting ask about them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/InstrTypes.h"

namespace regrain::waiting {

/// Who may have to act before something goes on. The values are ordered: each includes the previous
/// ones.
enum class Partners { None, Block, All };

class Machine {
public:
  virtual ~Machine() = default;

  /// Returns with whom the call of a function without a body may exchange information, or order
  /// such an exchange.
  virtual Partners partnersOf(const llvm::CallBase &call) const = 0;
  /// Returns whether the call returns what threads of the block tell each other where they meet.
  virtual bool isMeeting(const llvm::Instruction &inst) const = 0;
  /// Returns who can change the memory at `pointer`.
  virtual Partners partnersAt(const llvm::Value &pointer) const = 0;
  /// Returns whether `value` is the size of a block or of a grid, which is not zero.
  virtual bool isSize(const llvm::Value &value) const = 0;
};

} // namespace regrain::waiting
