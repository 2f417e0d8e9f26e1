//===- Rules.h - When a kernel is well defined ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the generator obeys and the reducer must not break: no data race, no
// barrier or warp operation that some of its threads miss, nothing read before
// it is written, no loop without an end.
//
// Memory of a block goes through phases that barriers separate. In a phase an
// array is touched in one way: by owners, read by all, written by thread 0, or
// by atomics of one operation.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Ast.h"
#include <optional>
#include <set>

namespace regrain::fuzz {

/// How a shared array has been touched since the last barrier.
enum class Phase : uint8_t { Fresh, OwnRead, Own, All, Leader, Atomic, Mixed };
enum class Access : uint8_t { OwnRead, OwnWrite, AnyRead, LeaderWrite, Atomic };

/// The phase after one more access; nothing where that would race.
std::optional<Phase> advance(Phase phase, Access access);
/// The phase where two ways meet.
Phase join(Phase a, Phase b);

/// What holds at a point of a kernel.
struct State {
  std::vector<Phase> phases;
  std::vector<bool> filled; ///< shared arrays that are initialised
  std::set<uint32_t> unset; ///< variables that some thread has not given a value
  bool allAlive = true;     ///< no thread has returned but by the kernel's own guard

  void meet();
  void joinWith(const State &other);
  bool operator==(const State &) const = default;
};

/// Who agrees on the value of an expression.
Level levelOf(const Expr &expr, const Kernel &kernel);

/// True where the block consists of whole warps.
bool hasWholeWarps(const Kernel &kernel);

/// What is wrong with the kernel; empty where nothing is.
std::string findFault(const Kernel &kernel);

} // namespace regrain::fuzz
