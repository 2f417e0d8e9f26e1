//===- Affine.h - Integers as affine forms ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An affine form is c + c1 * v1 + c2 * v2 + ... over the integers, where nothing wraps. The v are
// values of the kernel, read as signed numbers, or their counterparts in another execution of the
// same code (another thread, another iteration).
//
// Legality. The form of a value equals the value, whatever runs. Arithmetic is looked through where
// it is marked not to wrap in the signed sense, or where the ranges of its operands show that it
// does not wrap, or that a sum carries nothing (256 * block + thread). An `or` is a sum where one
// operand is a multiple of a power of two, and the other is less. Zero extension is looked through
// where the ranges show that the number is not negative. Any other value stands for itself. A
// poison value may have any form, because a memory access that depends on it is undefined.
//
// Bounds. The result of an operation has the range that MLIR's InferIntRangeInterface gives for
// operands of which only constants are known. MLIR's analysis of whole functions would add
// intervals, but proofs need bounds that are other values: a counter is below n, a thread below the
// size of its block. So bounds are affine forms too, and the ends of loops, the limits of a launch
// and the conditions around an operation are read here.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <optional>

namespace regrain {

/// A value of the execution that is looked at, or its counterpart in the other execution.
struct Variable {
  mlir::Value value;
  bool isOther = false;
  friend bool operator==(const Variable &, const Variable &) = default;
};

struct Affine {
  struct Summand {
    Variable variable;
    int64_t factor; ///< not zero
  };
  int64_t constant = 0;
  llvm::SmallVector<Summand, 4> summands; ///< each variable once

  [[nodiscard]] int64_t factorOf(Variable variable) const;
  friend bool operator==(const Affine &a, const Affine &b);
};

/// Returns a + times * b, or nothing if a number does not fit into 64 bits.
[[nodiscard]] std::optional<Affine> addTimes(const Affine &a, int64_t times, const Affine &b);

/// Returns the bits of an integer or an index.
[[nodiscard]] unsigned bitsOf(mlir::Value value);

/// Returns whether both numbers of a comparison are taken as unsigned.
[[nodiscard]] bool comparesUnsigned(mlir::arith::CmpIPredicate predicate);

/// Tells whether the counterpart of a value in the other execution may differ from it.
using Differs = llvm::function_ref<bool(mlir::Value)>;

/// Computes the forms of a kernel's integers and proves bounds of them. The object is valid until
/// the kernel changes.
class AffineForms {
public:
  explicit AffineForms(grain::KernelOp kernel);

  /// Returns the form of an integer of at most 64 bits, or of an index.
  [[nodiscard]] Affine of(mlir::Value value);

  /// Returns true if `form` is proved to be at least `bound`, from the bounds of the loops around
  /// its values, the limits of a launch and `facts`, which are forms that are not negative. False
  /// means unknown.
  [[nodiscard]] bool isAtLeast(const Affine &form, int64_t bound, llvm::ArrayRef<Affine> facts = {},
                               Differs differs = nothingDiffers);

  /// Returns true if `form` is proved to be at least `least` and at most `most`.
  [[nodiscard]] bool isWithin(const Affine &form, int64_t least, int64_t most,
                              llvm::ArrayRef<Affine> facts = {});

  /// Returns what a condition is whenever it is computed, or nothing if that is not proved.
  [[nodiscard]] std::optional<bool> decide(mlir::Value condition);

  /// Returns what the conditions around `op` say of their values, as forms that are not negative
  /// where `op` runs.
  [[nodiscard]] llvm::SmallVector<Affine> factsAt(mlir::Operation *op);

  /// Returns the counterpart of `form` in the other execution.
  [[nodiscard]] static Affine inOther(const Affine &form, Differs differs);

  static bool nothingDiffers(mlir::Value) { return false; }

private:
  struct Search;
  Affine compute(mlir::Value value);
  std::optional<Affine> ofOperation(mlir::Operation *op);
  std::optional<Affine> ofProduct(mlir::Operation *op);
  std::optional<Affine> ofEither(mlir::Operation *op);
  bool fits(const Affine &form, unsigned bits);
  bool neverCarries(mlir::Operation *sum);
  void addFactsOf(mlir::Value variable, llvm::SmallVectorImpl<Affine> &facts);
  void addCondition(mlir::Value condition, bool holds, llvm::SmallVectorImpl<Affine> &facts);
  const llvm::SmallVector<Affine> &factsOf(mlir::Value value);
  bool search(const Affine &form, llvm::ArrayRef<Affine> facts, Differs differs, unsigned depth,
              unsigned &steps);

  grain::KernelOp kernel;
  llvm::DenseMap<mlir::Value, Affine> forms;
  llvm::DenseMap<mlir::Value, std::unique_ptr<llvm::SmallVector<Affine>>> known;
  const llvm::SmallVector<Affine> noFacts;
};

} // namespace regrain
