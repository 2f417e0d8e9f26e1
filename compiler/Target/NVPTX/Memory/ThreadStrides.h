//===- ThreadStrides.h - How far apart threads access memory ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first cache looks up one line at a time. A load whose threads all read one line takes one
// look-up, and one whose threads read a line each takes 32, during which later loads wait.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Value.h"
#include <cstdint>
#include <optional>

namespace regrain::nvptx {

/// What is known of the addresses that neighbouring threads access, the threads whose first
/// coordinate differs by 1.
enum class Reach {
  Unknown,
  Near, ///< one address, or at most 16 bytes apart: a warp reads a few lines
  Far,  ///< at least 32 bytes apart, or a distance that is known only while the program runs
};

/// The reach of addresses in a kernel. An estimate: nothing may become wrong by it.
class ThreadStrides {
public:
  explicit ThreadStrides(llvm::ScalarEvolution &evolution) : evolution(evolution) {}

  [[nodiscard]] Reach reachOf(const llvm::Value &pointer);

private:
  /// The distance between two neighbours' values; nothing if it is not known that there is one.
  using Distance = std::optional<int64_t>;

  Distance distanceOf(const llvm::SCEV *value);
  Distance compute(const llvm::SCEV *value);
  Distance distanceOf(const llvm::Value &value);
  Distance distanceOfProduct(const llvm::SCEVMulExpr &product);
  Distance distanceOfSum(const llvm::SCEVAddExpr &sum);
  bool agree(llvm::ArrayRef<const llvm::SCEV *> values);

  llvm::ScalarEvolution &evolution;
  llvm::DenseMap<const llvm::SCEV *, Distance> known;
  unsigned depth = 0;
};

} // namespace regrain::nvptx
