//===- SharedAccesses.h - Accesses to shared arrays, by lane ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Refusal/Refuse.h"
#include "compiler/Transforms/ExchangeInWarp/Homes.h"
#include <vector>

namespace regrain {

/// A load from a shared array, or a store to one.
struct SharedAccess {
  mlir::Operation *op = nullptr;
  mlir::Value array = {}; ///< one value for all that denotes the same memory

  [[nodiscard]] bool isStore() const { return mlir::isa<mlir::LLVM::StoreOp>(op); }
  /// Returns the type of what is loaded or stored.
  [[nodiscard]] mlir::Type type() const;
  [[nodiscard]] mlir::Value address() const;
};

/// Returns the operations that allocate or name shared memory.
[[nodiscard]] llvm::SmallVector<mlir::Operation *> sharedArraysOf(grain::ThreadsOp threads);

/// Adds all accesses to shared arrays, in no order. Refuses other uses of their addresses, and
/// accesses that are volatile or atomic.
[[nodiscard]] std::optional<Refusal> findSharedAccesses(grain::ThreadsOp threads,
                                                        std::vector<SharedAccess> &accesses);

/// Returns the elements that the lanes of each warp touch, or nothing if they are not known. Lanes
/// that do not run the access, or would leave the array, touch none.
[[nodiscard]] std::optional<WarpElements> elementsOf(const SharedAccess &access,
                                                     std::vector<LaneValues> &warps);

/// Erases arrays that nothing accesses, and what only computes addresses.
void eraseUnusedArrays(grain::ThreadsOp threads);

} // namespace regrain
