//===- SharedMemory.h - __shared__ variables on the CPU ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A __shared__ variable is an offset into the block's shared memory. Variables
// that a kernel's own body uses are laid out kernel by kernel. Variables that
// functions use which stay calls have one offset in the whole module, in front;
// those that no kernel reaches together may share their bytes. Dynamic shared
// memory begins at the padded end of the kernel's static part.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
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

/// Replaces the calls of regrain_shared_variable, and REGRAIN_STATIC_SHARED_BYTES where it is
/// known, kernel by kernel.
class SharedLayout {
public:
  SharedLayout(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels,
               const SharedVariables &variables);
  /// Lays out what `kernel` uses; to be called for each kernel once. Returns its static
  /// shared bytes, not padded.
  uint64_t place(llvm::Function &kernel);
  /// Replaces the calls in a function that is not a kernel.
  void placeCommon(llvm::Function &function);

private:
  using Offsets = std::vector<int64_t>; ///< by index; -1: not placed

  llvm::BitVector usedBy(llvm::Function &function) const;
  uint64_t endOf(const Offsets &offsets, const llvm::BitVector &used) const;
  void placeAmong(unsigned variable, llvm::ArrayRef<llvm::Function *> kernels);
  void replace(llvm::Function &function, const Offsets &offsets,
               std::optional<uint64_t> staticBytes) const;

  const SharedVariables &shared;
  /// What each kernel uses in functions that stay calls.
  llvm::DenseMap<const llvm::Function *, llvm::BitVector> inCalls;
  Offsets commonOffsets;
};

} // namespace regrain::cpu
