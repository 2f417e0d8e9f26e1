//===- TileMemory.h - Shared memory for tiles -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What transforms need that give a kernel tiles in shared memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/StageLoads/Tiles.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace regrain {

/// The shared memory that a target needs to wait for copies of whole rows, in bytes.
inline constexpr uint64_t bulkBytes = 16;

/// Returns the number of threads of a block in each dimension; nothing if one is not known.
[[nodiscard]] std::optional<std::array<int64_t, 3>> knownBlockOf(grain::ThreadsOp threads);

/// Returns the first operation at which a thread may end, or null. Behind it, threads of a block
/// cannot rely on each other.
[[nodiscard]] mlir::Operation *findEndOfThread(grain::KernelOp kernel);

/// Returns the first operation that may keep threads of a block from meeting at barriers that are
/// put into its code, with the reason as one clause; nothing if there is none.
[[nodiscard]] std::optional<std::pair<mlir::Operation *, llvm::StringRef>>
findHindrance(grain::KernelOp kernel);

/// Returns whether a loop has no barrier, no atomic or volatile access, and no loop whose end is
/// not known when it begins.
[[nodiscard]] bool isPlain(mlir::scf::ForOp loop, Accesses &accesses);

/// Returns how many bytes of shared memory the kernel's own arrays take.
[[nodiscard]] uint64_t sharedBytesOf(grain::KernelOp kernel);

/// Returns the bytes of which a pointer is known to be a multiple.
[[nodiscard]] uint64_t alignmentOf(grain::KernelOp kernel, mlir::Value base);

/// Creates an array of shared memory for `count` copies of a tile, and `more` elements.
[[nodiscard]] mlir::Value createTileArray(grain::ThreadsOp threads, const Tile &tile,
                                          llvm::StringRef name, int64_t count = 1,
                                          int64_t more = 0);

/// Creates the address of a number of elements behind the start of a tile.
[[nodiscard]] mlir::Value createPlace(mlir::OpBuilder &builder, const Tile &tile,
                                      mlir::Value shared, llvm::ArrayRef<mlir::LLVM::GEPArg> slots);

/// Lets loads of a tile read from `shared`. `coordinates` are those of the thread, and null in
/// dimensions with one. Addresses are computed at `builder`. In `mapping` are the loads, if they
/// are copies.
void redirectLoads(mlir::OpBuilder &builder, const Tile &tile, mlir::Value shared,
                   llvm::ArrayRef<mlir::Value> coordinates, const mlir::IRMapping &mapping = {});

/// Moves the thread's allocations, if their size is known outside of its body, to the front, where
/// they have one place on the stack. Returns the first operation behind them, in front of all
/// control flow.
[[nodiscard]] mlir::Operation *frontBehindAllocations(mlir::Block &body);

} // namespace regrain
