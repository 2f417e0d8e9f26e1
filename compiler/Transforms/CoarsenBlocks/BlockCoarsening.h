//===- BlockCoarsening.h - The state of one coarsening ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/CoarsenBlocks/CoarsenBlocks.h"
#include "compiler/Transforms/CoarsenBlocks/Phases.h"
#include "compiler/Transforms/CoarsenBlocks/WholeGuards.h"
#include "compiler/Transforms/UnrollAndInterleave/UnrollAndInterleave.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace regrain {

/// Builds the coarsened nest beside the old one.
class BlockCoarsening {
public:
  BlockCoarsening(grain::BlocksOp old, const Factors &factors, std::array<bool, 3> edges,
                  Order order, SharedCopies copies, WholeGuards guards)
      : old(old), oldThreads(old.threads()), factors(factors), edges(edges), order(order),
        sharedCopies(copies), guards(std::move(guards)), iterations(iterationsOf(factors)),
        mappings(order == Order::InLoop ? 1 : iterations.size()),
        varying(varyingIn(factors, Dependence::BlockX)), builder(old), location(old.getLoc()) {}

  /// Puts the coarsened nest in the place of the old one and sets `result` to it.
  [[nodiscard]] std::optional<Refusal> run(grain::BlocksOp &result);

private:
  [[nodiscard]] std::optional<Refusal> build();
  [[nodiscard]] std::optional<Refusal> buildTogether(const Copies &copies);
  [[nodiscard]] std::optional<Refusal> buildInLoop();
  [[nodiscard]] std::optional<Refusal> findCommon();
  void findAlike();
  [[nodiscard]] size_t ownerOf(mlir::Operation *allocation, size_t copy) const;
  [[nodiscard]] std::optional<Refusal> takePhases(const Copies &copies);
  void runBefore();
  void runAfter();
  void createBlocks();
  void createThreads();
  void findBesideThreads();
  void takeBody();
  void markEdges();
  void mapCoordinates();
  void copyShared();
  mlir::Value createAllInside();
  mlir::Value createAllWhole(mlir::Value allInside);
  mlir::Value createInside(mlir::Value coordinate, unsigned dimension);
  void mapThreads();
  [[nodiscard]] std::optional<Refusal> interleaveBlocks(const Copies &copies);
  mlir::scf::ForOp runOneByOne();
  mlir::IRMapping mapEdgeBlock(mlir::Value index, mlir::Value &exists);

  grain::BlocksOp old;
  grain::ThreadsOp oldThreads;
  Factors factors;
  std::array<bool, 3> edges; ///< dimensions in which some of the joined blocks may not exist
  Order order;
  SharedCopies sharedCopies;
  WholeGuards guards; ///< that all threads pass where blocks are interleaved
  llvm::SmallVector<Factors> iterations;
  llvm::SmallVector<mlir::IRMapping>
      mappings;       ///< one for each joined block, or the first one's in a loop
  Dependence varying; ///< the coordinates in which joined blocks differ
  mlir::OpBuilder builder;
  mlir::Location location;
  grain::BlocksOp coarse;
  grain::ThreadsOp threads;
  llvm::SmallVector<mlir::Operation *>
      besideThreads; ///< pure operations, to be copied with the code
  llvm::SmallVector<mlir::LLVM::AllocaOp> copiedAllocations; ///< these stand before the branches
  llvm::SmallVector<mlir::Operation *> body; ///< what of the thread's code runs for each block
  llvm::DenseSet<mlir::Operation *> common;  ///< one of these allocations serves all copies
  /// One of these serves the copies that differ in no dimension but this one.
  std::array<llvm::DenseSet<mlir::Operation *>, 3> alike;
  Accumulators accumulators; ///< that are among the common ones
  Phases phases; ///< what runs once, before and after all blocks; nothing if they are in step
  mlir::IRMapping ofPhases;   ///< the values of what runs once, for the code of one block
  mlir::IRMapping afterwards; ///< the values for what runs after all blocks
  bool usesShared = false;
};

} // namespace regrain
