//===- OpcodesByName.h - Instructions of LLVM's NVPTX target ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of the target's instructions are not part of LLVM's headers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/CodeGen/TargetInstrInfo.h"

namespace regrain::nvptx {

/// Returns the number of the machine instruction of that name; 0 if the target has none.
[[nodiscard]] inline unsigned opcodeOf(const llvm::TargetInstrInfo &instructions,
                                       llvm::StringRef name) {
  for (unsigned opcode = 0; opcode < instructions.getNumOpcodes(); ++opcode)
    if (instructions.getName(opcode) == name)
      return opcode;
  return 0;
}

} // namespace regrain::nvptx
