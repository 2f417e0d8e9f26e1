//===- Window.h - The loads of a step that earlier steps made ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/Intervals.h"
#include "compiler/Refusal/Refuse.h"

namespace regrain {

/// A load whose value another load, or the same element's load before it, had in an earlier step.
struct Reread {
  mlir::LLVM::LoadOp load;
  mlir::LLVM::LoadOp source;
  unsigned steps; ///< how many steps ago
};

/// What the code of one block of a loop over steps reads again. Both loads of each pair are in it.
struct Window {
  mlir::Block *code = nullptr;
  llvm::SmallVector<Reread> rereads; ///< in the order of the loads, each load once

  /// Returns how many steps the value of `load` is needed for.
  [[nodiscard]] unsigned stepsOf(mlir::LLVM::LoadOp load) const;
  /// Returns the loads whose values are needed later, in the order of the code.
  [[nodiscard]] llvm::SmallVector<mlir::LLVM::LoadOp> sources() const;
  /// Returns the number of 32-bit registers that hold values from step to step.
  [[nodiscard]] uint64_t registers() const;
};

/// Finds the window of a loop over steps. The object is valid until the kernel changes.
class WindowSearch {
public:
  WindowSearch(mlir::scf::ForOp loop, Accesses &accesses)
      : loop(loop), accesses(accesses), barriers(loop) {}

  /// Returns the window that saves most loads, or the reason why there is none.
  [[nodiscard]] Window find(std::optional<Refusal> &refusal);

  /// Returns the loads that each step adds to the window and that the step before can make, or the
  /// reason why there are none.
  [[nodiscard]] llvm::SmallVector<mlir::LLVM::LoadOp> findAhead(const Window &window,
                                                                std::optional<Refusal> &refusal);

private:
  Window windowOf(mlir::Block &code);
  std::optional<Reread> rereadOf(const Access &access, llvm::ArrayRef<Access> loads);
  bool mayBeWrittenBefore(const Access &access);

  mlir::scf::ForOp loop;
  Accesses &accesses;
  Barriers barriers;
  mlir::Operation *written = nullptr; ///< a load that may read what its own step has written
};

} // namespace regrain
