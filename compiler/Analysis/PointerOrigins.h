//===- PointerOrigins.h - Whether addresses come from arguments -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access.h finds the base of an access, but not if its pointer is selected, carried through a loop,
// or part of a structure that the kernel is given. All these are addresses that the launch was
// given, or memory that the kernel names. An address that is loaded from memory that outlives the
// launch, or made from an integer, is not.
//
// Legality. In C++ a pointer that is derived from another points into the same object. So what is
// accessed through a pointer that comes from the arguments lies in an object that a word of the
// arguments points into. Such words lie at multiples of eight bytes of a parameter.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Access.h"

namespace regrain {

/// Computes a fixed point over the structured form, as in Uniformity.cpp. The object is valid until
/// the kernel changes.
class PointerOrigins {
public:
  PointerOrigins(grain::KernelOp kernel, Accesses &accesses);

  /// Returns true if it is proved that `pointer` comes from the arguments, or points to the
  /// kernel's own memory or to a module variable.
  [[nodiscard]] bool isFromArguments(mlir::Value pointer) const { return !(of(pointer) & Unknown); }

private:
  /// Where a pointer may come from besides the arguments and module variables, as a set.
  enum Origin : uint8_t {
    Given = 0,
    Own = 1, ///< memory that ends with the thread or the block
    Unknown = 2,
  };

  uint8_t of(mlir::Value value) const;
  void add(mlir::Value value, uint8_t more);
  void flow(mlir::ValueRange sources, mlir::ValueRange targets);
  void visit(mlir::Operation *op);
  void write(mlir::Operation *op, const Access &access);
  uint8_t loadedBy(mlir::LLVM::LoadOp load) const;
  uint8_t madeBy(mlir::Operation *op) const;

  Accesses &accesses;
  llvm::DenseMap<mlir::Value, uint8_t> known;
  llvm::DenseMap<mlir::Value, uint8_t> filled; ///< contents of the launch's own memory, by base
  uint8_t filledAnywhere = Given;              ///< what is written to an unknown place
  bool changed = false;
};

} // namespace regrain
