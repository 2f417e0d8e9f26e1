//===- Polynomial.h - Integers as polynomials of values ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums and products are multiplied out, as if nothing wrapped. So polynomials describe addresses to
// people, and prove nothing; Affine.h does.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <map>
#include <vector>

namespace regrain {

/// What a polynomial is made of: a coordinate of the thread, the trip of a loop (from 0), the size
/// of the program's block, or another value of the kernel.
struct Symbol {
  enum Kind { Thread, Trip, BlockSize, Other } kind;
  unsigned dimension = 0; ///< of a coordinate or a size
  mlir::Value value;      ///< of a trip: an argument of the loop that it counts
};

/// The numbers of the symbols of a product, sorted.
using Monomial = std::vector<unsigned>;

struct Polynomial {
  std::map<Monomial, int64_t> terms; ///< no factor is zero

  static Polynomial constant(int64_t value);
  /// Adds times * other.
  void add(int64_t times, const Polynomial &other);
  [[nodiscard]] Polynomial times(const Polynomial &other) const;
  /// Returns whether it is short enough to work with.
  [[nodiscard]] bool isSmall() const;
};

/// Returns what the body of a loop gets from its condition, for an argument of the body; otherwise
/// the value itself.
[[nodiscard]] mlir::Value behindCondition(mlir::scf::WhileOp loop, mlir::Value value);

/// Returns what is added to a carried value in each trip, if it comes from outside of the loop.
[[nodiscard]] mlir::Value stepOf(mlir::scf::WhileOp loop, mlir::BlockArgument carried);

/// The polynomials of a kernel's integers. The object is valid until the kernel changes.
class Polynomials {
public:
  [[nodiscard]] const Polynomial &of(mlir::Value value);

  /// Returns the value as a symbol.
  [[nodiscard]] Polynomial symbol(mlir::Value value) { return add({Symbol::Other, 0, value}); }

  [[nodiscard]] llvm::ArrayRef<Symbol> symbols() const { return all; }

private:
  Polynomial compute(mlir::Value value);
  Polynomial ofCarried(mlir::scf::WhileOp loop, mlir::BlockArgument argument);
  Polynomial ofOperation(mlir::Operation *op, mlir::Value value);
  Polynomial add(const Symbol &symbol);

  std::vector<Symbol> all;          ///< in the order in which they were met
  std::array<mlir::Value, 3> sizes; ///< the first reading of each
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, unsigned> numbers; ///< by value and kind
  llvm::DenseMap<mlir::Value, Polynomial> known;
};

} // namespace regrain
