//===- Registers.h - Shared arrays as registers of lanes --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/Uniformity.h"
#include "compiler/Transforms/ExchangeInWarp/ExchangeInWarp.h"
#include "compiler/Transforms/ExchangeInWarp/LaneCode.h"
#include "compiler/Transforms/ExchangeInWarp/SharedAccesses.h"
#include "llvm/ADT/MapVector.h"
#include <set>

namespace regrain {

/// Moves the shared arrays of a nest into registers, in steps. If exchanges between warps remain,
/// what loads in shared memory read is stored there as well.
class Registers {
public:
  /// The elements of all accesses are known (elementsOf).
  Registers(grain::ThreadsOp threads, Exchanges exchanges);

  /// Decides where elements live and where shuffles stand. Changes nothing.
  [[nodiscard]] std::optional<Refusal> place();

  /// Replaces the accesses. Until createShuffles, lanes read their own registers.
  void replaceAccesses();

  void createShuffles();

private:
  /// A register that some lanes read, or write.
  using Choice = std::pair<unsigned, LaneSet>;

  /// A shuffle.
  struct Move {
    llvm::SmallVector<Choice> given; ///< the register that each lane gives
    LaneSource source;
    LaneSet takers; ///< the lanes that need its result
  };

  struct Load {
    SharedAccess access = {};
    LaneHomes homes = {};
    /// The load, or the operation around it in front of which shuffles stand.
    mlir::Operation *position = nullptr;
    LaneSet own = 0;    ///< lanes that read their own register
    LaneSet others = 0; ///< lanes that read that of another
    std::vector<Move> moves = {};
    LaneSet moved = 0; ///< lanes that need the result of a shuffle
  };

  [[nodiscard]] std::optional<Refusal> placeStores();
  [[nodiscard]] std::optional<Refusal> placeLoad(const SharedAccess &access);
  [[nodiscard]] std::optional<Refusal> findRegisters(Load &load);
  void addRemaining(const SharedAccess &load);
  bool remains(const SharedAccess &store);
  [[nodiscard]] std::optional<Refusal> chooseMoves(Load &load);
  bool addMove(Load &load, LaneSet takers) const;
  [[nodiscard]] std::optional<Refusal> findPosition(Load &load);
  [[nodiscard]] std::optional<Refusal> checkSize();
  bool isTogether(mlir::Region &region) const;
  mlir::Value variableOf(mlir::Value array, unsigned number);
  mlir::Value read(mlir::OpBuilder &builder, const Load &load, llvm::ArrayRef<Choice> choices);
  mlir::Value select(mlir::OpBuilder &builder, mlir::Location location,
                     llvm::ArrayRef<Choice> choices, llvm::ArrayRef<mlir::Value> values);
  mlir::Value readOwn(const Load &load);
  mlir::Value readMoved(const Load &load);
  bool isWrittenIn(mlir::Operation *op, mlir::Value array) const;
  void replace(const Load &load);
  void replace(const SharedAccess &store, const LaneHomes &homes);

  grain::ThreadsOp threads;
  Exchanges exchanges;
  std::vector<SharedAccess> accesses;
  std::vector<LaneValues> warps;
  Uniformity uniformity;
  Barriers barriers;
  llvm::MapVector<mlir::Value, Homes> homes; ///< by array
  std::vector<Load> loads;
  std::vector<std::pair<SharedAccess, LaneHomes>> stores;
  llvm::DenseSet<mlir::Value> remaining; ///< arrays that have no registers
  /// The bytes that loads in shared memory read, by array.
  llvm::DenseMap<mlir::Value, std::set<int64_t>> readInMemory;
  std::optional<LaneCode> code;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> variables;
  /// What lanes give each other, with the formula for the sources.
  std::vector<std::pair<mlir::Value, LaneSource>> exchanged;
};

} // namespace regrain
