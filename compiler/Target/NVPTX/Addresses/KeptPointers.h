//===- KeptPointers.h - Pointers that strength reduction keeps --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If several pointers of a loop step by the same distance, LLVM's strength reduction lets one
// counter of 64 bits step, and holds an offset of 64 bits for each access of the unrolled loop.
// Each access then takes an addition of its own, which is two instructions. nvcc keeps the
// pointers: an access at a multiple of the distance takes one (IMAD.WIDE).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/Pass.h"

namespace regrain::nvptx {

/// Hides from strength reduction the pointers of loops of one block that step by the same distance,
/// which is no constant. Returns whether the function has changed.
bool hideRowPointers(llvm::Function &function);

/// Shows them again.
bool showRowPointers(llvm::Function &function);

/// Returns passes over LLVM IR that do so, for in front of strength reduction and for behind it.
llvm::FunctionPass *createHideRowPointers();
llvm::FunctionPass *createShowRowPointers();

} // namespace regrain::nvptx
