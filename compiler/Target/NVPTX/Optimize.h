//===- Optimize.h - LLVM's and own passes for NVIDIA GPUs ----- -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/NVPTX/CodeGenerator.h"
#include "compiler/Target/NVPTX/Loops/Unrolling.h"

namespace regrain::nvptx {

/// What a grain chooses of the code; the default is what every original gets.
struct CodeChoices {
  LoopAddresses addresses = LoopAddresses::Reduced;
  Unrolling unrolling = {};
  bool predicatesBranches = false; ///< short guarded code runs without branches
  bool reordersSums = false;       ///< sums are formed in another order
};

/// Returns the value of a function attribute that the grain sets alike for all of its kernels;
/// empty if it is not set.
std::string wordFor(const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                    llvm::StringRef name);

/// Reads the attributes of the kernels.
CodeChoices choicesOf(const llvm::Module &module, llvm::ArrayRef<std::string> kernels);

/// Runs clang's pipeline for device code at the machine's level.
void optimize(llvm::Module &module, llvm::TargetMachine &machine, unsigned level,
              const CodeChoices &choices);

/// Annotates accesses to shared memory with the variable's alignment. The pipeline does not infer
/// it, because it knows shared memory only by a generic address. The code generator joins accesses
/// to neighbours if they are aligned.
void inferSharedAlignment(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace regrain::nvptx
