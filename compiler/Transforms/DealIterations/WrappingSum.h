//===- WrappingSum.h - Integers as sums of products -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value of n bits is congruent to its sum modulo 2^n, whatever wraps. The symbols are values,
// read as signed integers. A sign extension is looked through if nothing wraps below it; other
// extensions and values that are no sum or product are symbols.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Affine.h"
#include "mlir/IR/Builders.h"
#include <map>
#include <vector>

namespace regrain {

class WrappingSum {
public:
  /// The symbols of a product, sorted by their numbers.
  using Product = std::vector<unsigned>;

  static WrappingSum of(int64_t constant);
  static WrappingSum ofSymbol(unsigned symbol);

  [[nodiscard]] WrappingSum plus(uint64_t times, const WrappingSum &other) const;
  [[nodiscard]] WrappingSum times(const WrappingSum &other) const;
  /// Returns what `symbol` is multiplied by, in the terms that contain it.
  [[nodiscard]] WrappingSum factorOf(unsigned symbol) const;
  [[nodiscard]] bool contains(unsigned symbol) const;
  /// Returns whether both are congruent modulo 2^bits whatever the symbols are.
  [[nodiscard]] bool equals(const WrappingSum &other, unsigned bits) const;
  [[nodiscard]] const std::map<Product, uint64_t> &getTerms() const { return terms; }

private:
  std::map<Product, uint64_t> terms; ///< factors, none of which is zero
};

/// Computes the sums of a kernel's values, and the values of sums. It is valid until the kernel
/// changes.
class WrappingSums {
public:
  explicit WrappingSums(grain::KernelOp kernel) : affine(kernel) {}

  /// Returns the sum of an integer of at most 64 bits.
  [[nodiscard]] WrappingSum of(mlir::Value value);
  /// Returns a sum that is equal to the value, read as a signed integer.
  [[nodiscard]] WrappingSum exactly(mlir::Value value);
  /// Returns the number of a value as a symbol.
  [[nodiscard]] unsigned symbolOf(mlir::Value value);
  /// Returns the width of the program's block in x, in which all readings are one symbol.
  [[nodiscard]] static WrappingSum blockSize() { return WrappingSum::ofSymbol(sizeSymbol); }
  /// Returns the value of a symbol; null for the size.
  [[nodiscard]] mlir::Value valueOf(unsigned symbol) const { return symbols[symbol]; }

  /// Creates the value of a sum in an integer type. `size` stands for the width of the block, if
  /// given.
  [[nodiscard]] mlir::Value create(mlir::OpBuilder &builder, mlir::Location location,
                                   const WrappingSum &sum, mlir::Type type,
                                   mlir::Value size = {}) const;

private:
  WrappingSum compute(mlir::Value value, bool isExact);
  WrappingSum ofOperation(mlir::Operation *op, bool isExact);
  bool isDisjoint(mlir::Operation *either);

  static constexpr unsigned sizeSymbol = 0;
  AffineForms affine;
  std::vector<mlir::Value> symbols = {mlir::Value()};
};

} // namespace regrain
