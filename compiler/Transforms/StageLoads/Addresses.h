//===- Addresses.h - Addresses as polynomials -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes from a pointer to an access, as a polynomial of the thread's coordinates and of values
// that are the same for all threads of a block. It equals the number modulo 2^64, for each thread
// that runs the access.
//
// Legality. Addresses have 64 bits, and so has the arithmetic of polynomials. Narrower arithmetic
// is looked through where it does not wrap: it is marked so, or Affine.h proves it. Zero extension
// is looked through where Affine.h and the conditions around the access show that the number is not
// negative, and in a sum that carries nothing (ZeroBits.h): that of the multiple is a symbol then.
// If a loop is given, values that are the same for all threads, and differ by a constant if nothing
// wraps, are one symbol and a constant. That is assumed, and must be tested in front of the loop.
// The counter of the loop is `lower + step * (iterations * tile + j)`: iterations that
// run do not wrap. Nothing else that the loop changes is a symbol.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Access.h"
#include "compiler/Analysis/Polynomial.h"
#include "compiler/Transforms/StageLoads/Conditions.h"

namespace regrain {

/// A loop whose iterations are grouped into tiles.
struct TiledLoop {
  mlir::scf::ForOp loop;
  int64_t step = 1;
  int64_t iterations = 1; ///< of a tile
};

/// The value is `distance` more than `other`, as numbers of 64 bits.
struct AssumedDistance {
  mlir::Value value, other;
  int64_t distance;
  bool isUnsigned; ///< both are extended as unsigned numbers
};

/// The dimension of the iterations of a tile, behind those of the block.
inline constexpr unsigned stepDimension = 3;

struct LoadAddress {
  mlir::Value base; ///< known before the threads, or the address of a variable
  Polynomial bytes;
};

/// Extends an integer to 64 bits.
[[nodiscard]] mlir::Value createWide(mlir::OpBuilder &builder, mlir::Location location,
                                     mlir::Value value, bool isUnsigned = false);

/// Returns the bytes of a number or of a vector that can be copied as a whole, or nothing.
[[nodiscard]] std::optional<int64_t> wholeBytes(mlir::Type type);

/// Computes the addresses of a kernel's loads and stores. The object is valid until the kernel
/// changes.
class LoadAddresses {
public:
  LoadAddresses(grain::ThreadsOp threads, AffineForms &forms, const Uniformity &uniformity,
                Recomputation &recomputation, std::optional<TiledLoop> loop = {});

  /// Returns nothing if the address has no such form.
  [[nodiscard]] std::optional<LoadAddress> of(mlir::Operation *access, mlir::Value pointer);

  /// Returns the value of a symbol; for the number of a tile, the counter of the loop.
  [[nodiscard]] mlir::Value valueOf(unsigned symbol) const { return symbols[symbol].value; }

  /// Returns whether the symbol is the value as an unsigned number.
  [[nodiscard]] bool isUnsigned(unsigned symbol) const {
    return symbols[symbol].kind == Kind::Unsigned;
  }

  /// Returns what addresses have been computed with.
  [[nodiscard]] llvm::ArrayRef<AssumedDistance> assumptions() const { return assumed; }

  /// Returns the low bits of a symbol that are known to be zero.
  [[nodiscard]] unsigned zeroBitsOf(unsigned symbol) const;

  /// Creates the value of a polynomial of what is the same for all threads. `known` maps values
  /// that have been created.
  [[nodiscard]] mlir::Value createSum(mlir::OpBuilder &builder, mlir::Location location,
                                      const Polynomial &polynomial, mlir::IRMapping &known) const;

  /// Returns the dimension of the coordinate that a symbol is, or nothing for another value.
  [[nodiscard]] std::optional<unsigned> dimensionOf(unsigned symbol) const;

private:
  std::optional<Polynomial> ofValue(mlir::Value value);
  std::optional<Polynomial> compute(mlir::Value value);
  std::optional<Polynomial> ofArithmetic(mlir::Operation *op);
  bool isLookedThrough(mlir::Value value);
  std::optional<Polynomial> ofUnsigned(mlir::Value value);
  std::optional<Polynomial> common(mlir::Value value, bool isUnsigned = false);
  std::optional<Polynomial> counter();

  enum class Kind : unsigned { Signed, Unsigned, TileNumber, Iteration };
  struct Symbol {
    mlir::Value value;
    Kind kind;
  };
  Polynomial symbol(mlir::Value value, Kind kind = Kind::Signed);
  Polynomial near(mlir::Value value, Kind kind);

  grain::ThreadsOp threads;
  AffineForms &forms;
  const Uniformity &uniformity;
  Recomputation &recomputation;
  std::optional<TiledLoop> loop;
  mlir::DataLayout layout;
  std::vector<Symbol> symbols;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, unsigned> numbers; ///< by value and kind
  Polynomials wrapping;                                               ///< as if nothing wrapped
  llvm::SmallVector<AssumedDistance> assumed;
  llvm::SmallVector<Affine> facts;                                  ///< of the present access
  llvm::DenseMap<mlir::Value, std::optional<Polynomial>> ofPresent; ///< what depends on them
};

} // namespace regrain
