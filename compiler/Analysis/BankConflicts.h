//===- BankConflicts.h - Lanes that access one bank -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory has 32 banks. Neighbouring words of 4 bytes lie in neighbouring banks, and a bank
// gives one word at a time. Lanes that access different words of one bank wait for each other;
// lanes that access the same word do not. An access of 8 or 16 bytes is made by half a warp or a
// quarter of one at a time.
//
// This decides what is worth changing, and justifies no transform: it looks at one warp
// (LaneOffsets.h), all of whose lanes run, and an unknown number that is the same in all lanes
// counts as a multiple of a row.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace regrain {

/// Returns how many words of one bank the lanes access together at most; 1 if none waits. The
/// offsets are in bytes, and each lane accesses `bytes`.
[[nodiscard]] unsigned bankWays(llvm::ArrayRef<int64_t> offsets, int64_t bytes);

/// A layout in which `pad` bytes follow each `row` bytes of an array. The one that is
/// value-initialised changes nothing.
struct RowPadding {
  int64_t row = 0;
  int64_t pad = 0;

  [[nodiscard]] int64_t placeOf(int64_t offset) const;
  /// Returns the bytes of an array that had `bytes`.
  [[nodiscard]] int64_t sizeOf(int64_t bytes) const;

  friend bool operator==(const RowPadding &, const RowPadding &) = default;
};

/// An access to a static shared array whose lanes are known.
struct BankAccess {
  mlir::Operation *op;
  grain::SharedOp array;
  int64_t bytes;
  llvm::SmallVector<int64_t> offsets; ///< per lane, in bytes
  double times = 1;                   ///< an estimate of how often it runs

  [[nodiscard]] unsigned ways(const RowPadding &padding = {}) const;
};

/// Returns the accesses of a kernel that are known.
[[nodiscard]] std::vector<BankAccess> bankAccessesOf(grain::KernelOp kernel);

/// Returns the layout of `array`, an array of `accesses`, in which its lanes wait least, and of
/// those the smallest; nothing if that is the layout that it has. Rows and their padding are
/// multiples of `granule`, a power of two. The array then has at most `mostBytes`.
[[nodiscard]] std::optional<RowPadding> findPadding(grain::SharedOp array,
                                                    llvm::ArrayRef<BankAccess> accesses,
                                                    int64_t granule, int64_t mostBytes);

/// Returns the access with the most ways, the first of several; null if no lane waits.
[[nodiscard]] const BankAccess *worstConflict(llvm::ArrayRef<BankAccess> accesses);

} // namespace regrain
