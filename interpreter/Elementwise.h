//===- Elementwise.h - Functions of defined scalars -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "interpreter/Machine.h"
#include "llvm/IR/InstrTypes.h"

namespace regrain {

/// The bits of one element of each operand.
using ElementBits = std::array<uint64_t, 4>;

/// Makes a call of at most four operands, element by element: `function(call, leaf,
/// bits)` returns the bits of an element of the result, which is undefined if an
/// operand is. An operand that is not a vector is used for all elements.
template <typename Function> Builtin elementwise(Function function) {
  return [function](Machine &machine, Thread &thread, const Step &step) {
    const auto &call = *llvm::cast<llvm::CallBase>(step.instruction);
    for (auto [i, leaf] : llvm::enumerate(step.leaves)) {
      ElementBits operands = {};
      uint64_t undefined = 0;
      bool isPoison = false;
      for (unsigned k = 0; k < std::min<size_t>(call.arg_size(), operands.size()); ++k) {
        bool isVector = call.getArgOperand(k)->getType()->isVectorTy();
        Scalar scalar = machine.read(thread, step, k, isVector ? i : 0);
        operands[k] = scalar.bits;
        undefined |= scalar.undefined;
        isPoison |= scalar.isPoison;
      }
      machine.write(thread, step,
                    undefined ? unknown(leaf.width, isPoison)
                              : Scalar{function(call, leaf, operands) & maskOf(leaf.width), 0},
                    i);
    }
    return true;
  };
}

} // namespace regrain
