//===- SameAddress.h - Whether two pointers are equal -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   p = x + (i * n + (j + 1)), q = x + (i * n + j) + 1
//
// Affine forms (Affine.h) do not contain products of values, and end where an integer of the
// program may wrap. Here an address is a polynomial modulo 2^64, and an integer that may wrap is
// one of its symbols.
//
// Legality. Arithmetic of 64 bits is that of polynomials modulo 2^64. Narrower arithmetic is looked
// through where it does not wrap in the signed sense: it is marked so, or ranges show it
// (AffineForms). Two narrow integers of n bits whose difference modulo 2^n is a constant differ by
// that constant as signed numbers if the conditions around the second access show that the sum does
// not leave n bits. No value is poison: both accesses are executed. In different iterations of a
// loop, symbols are the same numbers if they depend on nothing that the loop changes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Affine.h"
#include "compiler/Analysis/Polynomial.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace regrain {

/// Compares the pointers of one kernel. The object is valid until the kernel changes.
class SameAddress {
public:
  SameAddress(AffineForms &forms, const mlir::DataLayout &layout) : forms(forms), layout(layout) {}
  SameAddress(const SameAddress &) = delete;
  SameAddress &operator=(const SameAddress &) = delete;

  /// Returns true if it is proved that both are the same address where `at` runs, in a thread that
  /// has accessed memory through both in the same iteration of the loops around both.
  [[nodiscard]] bool areEqual(mlir::Value first, mlir::Value second, mlir::Operation *at);

  /// Returns the number of iterations of `loop` after which `later` is the address that `earlier`
  /// has been, at least 1 and at most `most`; nothing if that is not proved. Both are inside of the
  /// loop, and their thread accesses memory through both.
  [[nodiscard]] std::optional<unsigned> iterationsBetween(mlir::Value earlier, mlir::Value later,
                                                          mlir::scf::ForOp loop, unsigned most);

  /// Returns true if it is proved that both are the same address when the loops' counters are the
  /// same number. `first` is in the body of `in`, and `second` in that of `of`; their thread
  /// accesses memory through both.
  [[nodiscard]] bool areEqualByCounter(mlir::Value first, mlir::scf::ForOp in, mlir::Value second,
                                       mlir::scf::ForOp of);

private:
  /// A value that polynomials do not look through.
  struct Symbol {
    mlir::Value value;
    std::optional<unsigned> kin; ///< the integers from which it differs by constants
    int64_t constant = 0;        ///< modulo 2^n, behind what its kin have in common
  };
  struct Address {
    mlir::Value base;
    Polynomial offset; ///< bytes
    Polynomial common; ///< the same by the first symbols of all kin
  };
  using Kin = llvm::SmallVector<unsigned>; ///< symbols
  /// An offset in an iteration: rest + counter * slope.
  struct Motion {
    Polynomial rest, slope;
  };

  const std::optional<Address> &of(mlir::Value pointer);
  std::optional<Address> compute(mlir::Value pointer);
  const Polynomial &integer(mlir::Value value);
  Polynomial ofInteger(mlir::Value value);
  std::optional<Polynomial> ofOperation(mlir::Operation *op, bool isExact);
  Polynomial symbol(mlir::Value value);
  std::pair<Polynomial, int64_t> residue(mlir::Value value);
  Polynomial residueOf(mlir::Value value);
  Polynomial byFirstKin(const Polynomial &sum);
  int64_t distance(unsigned from, unsigned to) const;
  bool isShifted(unsigned from, unsigned to, llvm::ArrayRef<Affine> facts);
  bool areShifted(const Polynomial &sum, mlir::Operation *at);
  std::optional<Motion> motionIn(mlir::scf::ForOp loop, const Polynomial &offset) const;

  AffineForms &forms;
  const mlir::DataLayout &layout;
  std::vector<Symbol> symbols;
  std::vector<Kin> families;
  std::map<std::pair<unsigned, std::map<Monomial, int64_t>>, unsigned> familyOf;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::DenseMap<mlir::Value, unsigned> leaves;
  llvm::DenseMap<mlir::Value, Polynomial> integers;
  llvm::DenseMap<mlir::Value, std::optional<Address>> addresses;
};

} // namespace regrain
