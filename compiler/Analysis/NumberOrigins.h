//===- NumberOrigins.h - Where numbers in memory come from ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is a fixed point over the structured form, as in Uniformity.cpp: values flow through
// operands, loops and the memory of a block.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Access.h"
#include "compiler/Dialect/Grain/Grain.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "runtime/image/memory_use.h"
#include "llvm/ADT/DenseMap.h"

namespace regrain {

/// Returns true if the memory ends with the block or the thread.
[[nodiscard]] bool isTransient(const Access &access);

/// Returns true where memory on the stack begins or ends to exist: nothing is stored there.
[[nodiscard]] bool isLifetime(mlir::Operation *op);

/// Returns what `op` does to memory. Operations between the lanes of a warp do nothing to it. Of a
/// copy this is the access to its destination.
[[nodiscard]] std::optional<Access> effectOf(mlir::Operation *op, Accesses &accesses);

/// Tells of each floating-point number in a kernel where its bits may come from.
class NumberOrigins {
public:
  NumberOrigins(grain::KernelOp kernel, Accesses &accesses);

  /// Returns the types of the numbers that `op` writes, and whether they may be copies.
  [[nodiscard]] StoredTypes typesOf(mlir::Operation *op) const;

private:
  /// Where the bits of a value may come from, as a set. A constant has no origin.
  enum Origin : uint8_t {
    Nowhere = 0,
    Computed = 1, ///< floating-point arithmetic that rounds
    Copied = 2,   ///< memory that outlives the block, or arguments
    Returned = 4, ///< functions that are not known
    Bits = 8,     ///< bits that are no number of this type, or are not known
  };

  /// What the memory of a block or a thread holds.
  struct Contents {
    uint8_t origin = Nowhere;
    StoredTypes types = StoredTypes::None; ///< of what is stored there, but for zeros
  };

  uint8_t of(mlir::Value value) const;
  Contents contentsOf(mlir::LLVM::CallOp copy) const;
  Contents writtenBy(mlir::Operation *op) const;
  uint8_t originOfWritten(mlir::Operation *op) const;
  void add(mlir::Value value, uint8_t more) { join(known[value], more); }
  void join(uint8_t &origin, uint8_t more) {
    changed |= (origin | more) != origin;
    origin |= more;
  }
  void visit(mlir::Operation *op);
  void write(mlir::Operation *op, const Access &access);
  uint8_t read(const Access &access, mlir::Type type) const;
  uint8_t ofResult(mlir::LLVM::CallOp call) const;
  uint8_t ofResult(mlir::Operation *op) const;
  uint8_t ofFloatingOperands(mlir::Operation *op) const;

  Accesses &accesses;
  llvm::DenseMap<mlir::Value, uint8_t> known;
  llvm::DenseMap<mlir::Value, Contents> transient; ///< the block's memory, by base
  Contents anywhere;                               ///< what is written through any other pointer
  bool changed = false;
};

} // namespace regrain
