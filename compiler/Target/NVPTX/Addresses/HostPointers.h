//===- HostPointers.h - Pointers in constant memory -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel cannot write constant memory. So a pointer there comes from the host or from the
// variable's initial value, and the host has no pointer to the memory of a block or of a thread.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Says that a pointer which is loaded from constant memory points to global memory, so that
/// accesses name it. Otherwise the hardware asks each address, and an atomic addition becomes code
/// for several memories. Not for a variable whose definition is elsewhere, or whose initial value
/// has the address of a function or of anything that is not in global memory, nor for a function
/// that is called.
class HostPointers : public llvm::PassInfoMixin<HostPointers> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
