//===- SharedMemory.h - __shared__ variables on the CPU ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A __shared__ variable is an offset into the block's shared memory. Variables
// that a kernel's own body uses are laid out kernel by kernel. Variables that
// functions use which stay calls have one offset in the whole module, in front.
// Dynamic shared memory begins at the padded end of the static part.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"
#include <vector>

namespace regrain::cpu {

/// Static shared memory is padded to this many bytes; see abi.h.
inline constexpr uint64_t sharedPadding = 128;

/// The __shared__ variables of a module by the index that stands for each.
struct SharedVariables {
  struct Variable {
    uint64_t bytes; ///< 0: dynamic shared memory
    llvm::Align align;
  };
  std::vector<Variable> variables;
};

/// Replaces each use of a variable in address space 3 by a call of
/// regrain_shared_variable(index) and removes the variables. Legal for every
/// module whose other variables do not hold a shared address; one that does
/// keeps its use, and the variable stays.
SharedVariables liftSharedVariables(llvm::Module &module);

/// Replaces the calls of regrain_shared_variable in `kernel`, and in the other
/// functions of the module (given `common`), by addresses. Returns the static
/// shared bytes of the kernel, not padded.
class SharedLayout {
public:
  SharedLayout(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels,
               const SharedVariables &variables);
  /// Lays out what `kernel` uses; to be called for each kernel once.
  uint64_t place(llvm::Function &kernel);
  /// Replaces the calls in a function that is not a kernel.
  void placeCommon(llvm::Function &function);

private:
  void replace(llvm::Function &function, const std::vector<int64_t> &offsets, uint64_t staticBytes);
  uint64_t assign(std::vector<int64_t> &offsets, llvm::Function &function, uint64_t bytes) const;

  const SharedVariables &shared;
  std::vector<int64_t> commonOffsets; ///< -1: not placed
  uint64_t commonBytes = 0;
};

} // namespace regrain::cpu
