//===- Interleaver.h - The state of one unroll-and-interleave ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/UnrollAndInterleave/UnrollAndInterleave.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace regrain {

/// Marks a branch that holds a store of neighbours for each of them. If the threads around it are
/// joined, the branch is copied whole, because wide stores need neighbours that follow each other.
constexpr llvm::StringLiteral storesAttribute = "grain.stores";

class Interleaver {
public:
  using Mappings = llvm::MutableArrayRef<mlir::IRMapping>;

  Interleaver(mlir::OpBuilder &builder, const Copies &copies) : builder(builder), copies(copies) {}

  [[nodiscard]] std::optional<Refusal> interleave(mlir::Operation *op, Mappings mappings);
  bool needsCopies(mlir::Operation *op) const;

private:
  [[nodiscard]] std::optional<Refusal> interleave(mlir::Block &source, Mappings mappings);
  bool varies(mlir::Value value) const {
    return overlap(copies.uniformity.of(value), copies.varying) &&
           !(copies.neighbours && copies.neighbours->areEqual(value));
  }
  bool haveOneControl(mlir::Operation *op) const;

  [[nodiscard]] std::optional<Refusal> interleaveRegions(mlir::Operation *op, Mappings mappings);
  void keepOnce(mlir::Operation *op, Mappings mappings);
  void copyEach(mlir::Operation *op, Mappings mappings);
  /// Maps those of `values` that are near each other to sums with the value of the first copy.
  void mapNear(mlir::ValueRange values, Mappings mappings);
  void combine(grain::BarrierReduceOp op, Mappings mappings);

  bool isWorthVersioning(mlir::scf::IfOp op, mlir::Region &inside);
  [[nodiscard]] std::optional<Refusal> version(mlir::scf::IfOp op, mlir::Region &inside, bool joins,
                                               Mappings mappings);

  bool mayJoin(mlir::scf::IfOp op, mlir::Region &inside);
  bool mayRunExcluded(mlir::Operation *op) const;
  void joinGuard(mlir::scf::IfOp op, bool insideIsThen, Mappings mappings);
  mlir::Value createRuns(mlir::Value condition, bool runsIf, const mlir::IRMapping &mapping);
  void copyRunning(mlir::Operation *op, Mappings mappings);
  void copyLoad(mlir::LLVM::LoadOp op, Mappings mappings);
  void copyStore(mlir::LLVM::StoreOp op, Mappings mappings);
  void copyIfRunning(mlir::Operation *op, unsigned copy, Mappings mappings);

  bool isWorthPeeling(mlir::Operation *op);
  [[nodiscard]] std::optional<Refusal> peel(mlir::Operation *op, Mappings mappings);
  [[nodiscard]] std::optional<Refusal> peel(mlir::scf::ForOp op, Mappings mappings);
  [[nodiscard]] std::optional<Refusal> peel(mlir::scf::WhileOp op, Mappings mappings);
  [[nodiscard]] std::optional<Refusal> fillJammed(mlir::scf::ForOp op, mlir::scf::ForOp jammed,
                                                  Mappings joined);
  [[nodiscard]] std::optional<Refusal> fillJammed(mlir::scf::WhileOp op, mlir::scf::WhileOp jammed,
                                                  Mappings joined);
  mlir::LoopLikeOpInterface createRest(mlir::LoopLikeOpInterface op, mlir::IRMapping &mapping,
                                       const mlir::IRMapping &state);
  mlir::Value createCommonDistance(mlir::scf::ForOp op, Mappings mappings);

  [[nodiscard]] std::optional<Refusal> jam(mlir::Operation *op, Mappings mappings);
  [[nodiscard]] std::optional<Refusal> jam(mlir::scf::IfOp op, Mappings mappings);
  void copyElse(mlir::scf::IfOp op, mlir::Block &target, Mappings mappings);
  [[nodiscard]] std::optional<Refusal> jam(mlir::scf::ForOp op, Mappings mappings);
  [[nodiscard]] std::optional<Refusal> jam(mlir::scf::WhileOp op, Mappings mappings);
  [[nodiscard]] std::optional<Refusal> jam(mlir::scf::IndexSwitchOp op, Mappings mappings);
  [[nodiscard]] std::optional<Refusal> jamBlock(mlir::Block &source, mlir::Block &target,
                                                mlir::ValueRange shape, Mappings mappings);

  /// Returns each of `values` once, or once per copy if the corresponding value in `shape` varies.
  llvm::SmallVector<mlir::Value> spread(mlir::ValueRange values, mlir::ValueRange shape,
                                        Mappings mappings) const;
  llvm::SmallVector<mlir::Type> spreadTypes(mlir::ValueRange shape, unsigned count) const;
  /// Does the reverse of `spread`: maps each of `targets` to its share of `values`.
  void gather(mlir::ValueRange shape, mlir::ValueRange targets, mlir::ValueRange values,
              Mappings mappings) const;

  mlir::OpBuilder &builder;
  const Copies &copies;
  /// The number of operations that versioning and peeling may still add.
  unsigned budget = 4096;
  /// In a joined guard, whether each copy runs; null if it does for certain. Elsewhere empty.
  llvm::SmallVector<mlir::Value> running;
};

} // namespace regrain
