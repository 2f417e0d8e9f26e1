//===- Rules.h - Conditions of well-defined kernels -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generator obeys these rules, and the reducer must not break them: there
// is no data race, no barrier or warp operation that some of its threads miss,
// no read before a write, and no endless loop.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Ast.h"
#include "fuzz/Phases.h"
#include <set>

namespace regrain::fuzz {

/// The facts at a point of a kernel.
struct State {
  std::vector<Phase> phases;
  std::vector<bool> filled; ///< shared arrays that are initialised
  std::set<uint32_t> unset; ///< variables without a value in some thread
  bool allAlive = true;     ///< no thread has returned except by the kernel's own guard

  void meet();
  void joinWith(const State &other);
  bool operator==(const State &) const = default;
};

/// Returns the level of threads that agree on the value of an expression.
Level levelOf(const Expr &expr, const Kernel &kernel);

/// Returns true if the block consists of whole warps.
bool hasWholeWarps(const Kernel &kernel);

/// Returns what is wrong with the kernel; empty if nothing is.
std::string findFault(const Kernel &kernel);

} // namespace regrain::fuzz
