//===- Machine.h - What a target's own calls stand for ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each target lowers barriers, warp operations, sizes and shared memory to functions or
// intrinsics of its own. What the analyses of waiting ask of them is here.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/InstrTypes.h"

namespace regrain::waiting {

/// Who may have to act before something goes on. Ordered: each holds the former.
enum class Partners { None, Block, All };

class Machine {
public:
  virtual ~Machine() = default;

  /// With whom the call of a function without a body may order, or take part in, an exchange.
  virtual Partners partnersOf(const llvm::CallBase &call) const = 0;
  /// Whether the call gives what threads of the block tell each other where they meet.
  virtual bool isMeeting(const llvm::Instruction &inst) const = 0;
  /// Who can change the memory at `pointer`.
  virtual Partners partnersAt(const llvm::Value &pointer) const = 0;
  /// Whether `value` is the size of a block or of a grid, which is not zero.
  virtual bool isSize(const llvm::Value &value) const = 0;
};

} // namespace regrain::waiting
