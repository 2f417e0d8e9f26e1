//===- PointerOrigins.h - Whether addresses come from arguments -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access.h says which base an access has, and nothing of one whose pointer is chosen,
// goes round a loop, or lies in a structure that the kernel is given. All these are
// addresses that the launch was given, or memory that it was given by name. An address
// that is loaded from memory that outlives the launch, or made of an integer, is not.
//
// Legality. C++ lets a pointer that is derived from another point into the same object
// alone; so what is accessed through a pointer that comes from the arguments lies in an
// object that a word of the arguments points into. Words count where they lie at
// multiples of eight bytes of a parameter.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Access.h"

namespace regrain {

/// A fixed point over the structured form, as in Uniformity.cpp. Valid until the kernel
/// changes.
class PointerOrigins {
public:
  PointerOrigins(grain::KernelOp kernel, Accesses &accesses);

  /// True: proved that `pointer` comes from the arguments, or is that of memory of the
  /// kernel's own, or of a module variable.
  [[nodiscard]] bool isFromArguments(mlir::Value pointer) const { return !(of(pointer) & Unknown); }

private:
  /// Where a pointer may come from, beside the arguments and module variables; a set.
  enum Origin : uint8_t {
    Given = 0,
    Own = 1, ///< memory that is gone with the thread or the block
    Unknown = 2,
  };

  uint8_t of(mlir::Value value) const;
  void add(mlir::Value value, uint8_t more);
  void flow(mlir::ValueRange sources, mlir::ValueRange targets);
  void visit(mlir::Operation *op);
  void visitRegions(mlir::Operation *op);
  void write(mlir::Operation *op, const Access &access);
  uint8_t loadedBy(mlir::LLVM::LoadOp load) const;
  uint8_t madeBy(mlir::Operation *op) const;

  Accesses &accesses;
  llvm::DenseMap<mlir::Value, uint8_t> known;
  llvm::DenseMap<mlir::Value, uint8_t> filled; ///< what is in memory of the launch, by base
  uint8_t filledAnywhere = Given;              ///< what is written of which it is not known where
  bool changed = false;
};

} // namespace regrain
