//===- SharedMemory.h - __shared__ variables on the CPU ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A __shared__ variable is an offset into the block's shared memory. Variables that only a kernel's
// own body uses are laid out kernel by kernel. Variables that are used by functions that stay calls
// come first and have one offset in the whole module; those that no kernel reaches together may
// share their bytes. Dynamic shared memory starts at the padded end of the kernel's static part.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"
#include <vector>

namespace regrain::cpu {

/// Static shared memory is padded to a multiple of this many bytes; see abi.h.
inline constexpr uint64_t sharedPadding = 128;

/// The __shared__ variables of a module, by their indices.
struct SharedVariables {
  struct Variable {
    uint64_t bytes; ///< 0: dynamic shared memory
    llvm::Align align;
  };
  std::vector<Variable> variables;
};

/// Bytes between the variables of a block's shared memory.
struct SharedGap {
  uint64_t offset, bytes;
};

/// Replaces each use of a variable in address space 3 by a call of regrain_shared_variable(index)
/// and removes the variables. Legal unless other variables contain a shared address; such a use and
/// its variable are kept.
SharedVariables liftSharedVariables(llvm::Module &module);

/// Replaces the calls of regrain_shared_variable, and REGRAIN_STATIC_SHARED_BYTES if it is known,
/// kernel by kernel.
class SharedLayout {
public:
  SharedLayout(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels,
               const SharedVariables &variables, uint64_t gapBytes);
  /// Returns the bytes that a GPU's block needs for what `kernel` declares: without gaps, and
  /// without variables that are only stored to, which LLVM removes there. Precedes place().
  uint64_t declaredBytes(llvm::Function &kernel) const;
  /// Lays out what `kernel` uses; it must be called once for each kernel. Returns the kernel's
  /// static shared bytes without padding.
  uint64_t place(llvm::Function &kernel);
  /// Returns the gaps behind the variables of a kernel that was laid out: at least `gapBytes`
  /// behind each.
  llvm::ArrayRef<SharedGap> gapsOf(const llvm::Function &kernel) const {
    return gaps.find(&kernel)->second;
  }
  /// Replaces the calls in a function that is not a kernel.
  void placeCommon(llvm::Function &function);

private:
  using Offsets = std::vector<int64_t>; ///< by index; -1: not placed

  llvm::BitVector usedBy(llvm::Function &function) const;
  llvm::BitVector onlyStored(llvm::Module &module) const;
  uint64_t endOf(const Offsets &offsets, const llvm::BitVector &used) const;
  void placeAmong(unsigned variable, llvm::ArrayRef<llvm::Function *> kernels);
  void replace(llvm::Function &function, const Offsets &offsets,
               std::optional<uint64_t> staticBytes) const;

  uint64_t startAfter(uint64_t end, unsigned variable) const;
  void findGaps(const llvm::Function &kernel, const Offsets &offsets, uint64_t end);

  const SharedVariables &shared;
  uint64_t gapBytes;
  llvm::DenseMap<const llvm::Function *, std::vector<SharedGap>> gaps;
  /// What each kernel uses in functions that stay calls.
  llvm::DenseMap<const llvm::Function *, llvm::BitVector> inCalls;
  Offsets commonOffsets;
  llvm::BitVector neverRead;
};

} // namespace regrain::cpu
