//===- OwnAssembly.h - Inline PTX that a thread runs by itself --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang marks all inline assembly of device code as convergent, because its text may shuffle or
// wait. LLVM then unrolls no loop of unknown length around it, since the rest of the iterations
// would be another loop. Conversions to short numbers are such texts in CUDA's headers. nvcc
// unrolls these loops.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"
#include <optional>

namespace regrain::nvptx {

/// Calls of assembly whose results depend on their operands alone are convergent no longer, and are
/// known to return: LLVM counts no iterations of loops that a call may never leave.
void releaseOwnAssembly(llvm::Module &module);

/// Returns the number of instructions in the assembly that is called; nothing if the call is of a
/// function, or of assembly that does more than compute its results.
[[nodiscard]] std::optional<uint64_t> sizeOfOwnAssembly(const llvm::CallBase &call);

/// Returns the number of instructions in the assembly that is called; nothing for other
/// instructions.
[[nodiscard]] std::optional<uint64_t> sizeOfAssembly(const llvm::Instruction &instruction);

/// Returns whether a function is called, which is no intrinsic.
[[nodiscard]] bool callsFunction(const llvm::Instruction &instruction);

} // namespace regrain::nvptx
