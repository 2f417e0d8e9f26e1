//===- KernelGenerator.h - Generator of one kernel --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/ExpressionGenerator.h"

namespace regrain::fuzz {

using Block = std::vector<Stmt>;

/// The exchanges that are drawn with the kernel; the others are added to it (Additions.h).
inline constexpr uint32_t plainExchanges = 12;

/// The context of a statement.
struct Place {
  Level path = Level::Block;
  unsigned depth = 0;
  std::optional<Level> loop; ///< of the enclosing loop, if a jump may leave it
  Scope scope;
};

/// The part of a block that counts in one dimension: the block agrees on it,
/// and it may be smaller in some blocks than in others.
struct Limits {
  Builtin thread = Builtin::ThreadX;
  uint32_t low = 0, high = 0; ///< variables: the first one, and the one after the last
};

/// A flag that is live across barriers.
struct Carried {
  Limits limits;
  uint32_t flag = 0;
  bool isUnset = false; ///< its first value is assigned in a loop
};

/// Draws statement after statement, each where it is legal.
class KernelGenerator {
public:
  explicit KernelGenerator(uint64_t seed) : random(seed), expressions(kernel, random) {
    kernel.seed = seed;
  }

  Kernel run();

private:
  static Stmt make(StmtKind kind, uint32_t id = 0, uint32_t aux = 0) {
    Stmt stmt;
    stmt.kind = kind;
    stmt.id = id;
    stmt.aux = aux;
    return stmt;
  }

  void chooseShape();
  void chooseMemory();
  void finish(const Place &place, State &state);
  Block statements(Place &place, State &state, unsigned count);
  void statement(Place &place, State &state, Block &block);
  void store(const Place &place, State &state, Block &block);
  void atomic(const Place &place, State &state, Block &block);
  void shared(const Place &place, State &state, Block &block);
  void variable(Place &place, State &state, Block &block);
  void meeting(Place &place, State &state, Block &block);
  void warp(Place &place, State &state, Block &block);
  void branch(const Place &place, State &state, Block &block);
  void chooseCase(const Place &place, State &state, Block &block);
  void loop(const Place &place, State &state, Block &block);
  void jump(const Place &place, State &state, Block &block);

  void carry(Place &place, State &state, Block &block);
  Limits declareLimits(Place &place, State &state, Block &block);
  void declareIndex(const Limits &limits, Place &place, State &state, Block &block);
  void carryAroundLoop(const Carried &carried, const Place &place, State &state, Block &block);
  void carryOverBarrier(const Carried &carried, const Place &place, State &state, Block &block);
  Stmt mark(const Carried &carried, const Place &place, State &state);
  Stmt underFlag(const Carried &carried, const Place &place, State &state);
  Expr roundsOf(const Stmt &loop, const Place &place, State &state);
  void barrier(State &state, Block &block) {
    block.push_back(make(StmtKind::Barrier, 0, random.percent(15)));
    state.meet();
  }

  uint32_t newVariable(Variable variable) {
    kernel.variables.push_back(variable);
    return uint32_t(kernel.variables.size() - 1);
  }
  /// Declares a new variable that may be assigned to, with its initial value, if any.
  uint32_t declare(Variable variable, std::optional<Expr> value, Place &place, Block &block);
  Expr valueFor(Type type, const Place &place, State &state, unsigned depth = 3) {
    return expressions.value(type, Level::Thread, place.scope, state, depth);
  }
  /// Chooses a level for a branch: usually one on which the block agrees.
  Level chooseLevel(const Place &place) {
    if (place.path == Level::Thread || random.percent(40))
      return Level::Thread;
    if (hasWholeWarps(kernel) && random.percent(25))
      return Level::Warp;
    return Level::Block;
  }
  Place inside(const Place &place, Level level) {
    Place within = place;
    within.path = std::max(place.path, level);
    ++within.depth;
    return within;
  }
  /// Makes an access legal by a barrier, if one is allowed here.
  bool open(uint32_t array, Access access, const Place &place, State &state, Block &block) {
    if (!state.filled[array])
      return false;
    if (!advance(state.phases[array], access)) {
      if (place.path != Level::Block)
        return false;
      barrier(state, block);
    }
    state.phases[array] = *advance(state.phases[array], access);
    return true;
  }

  Kernel kernel;
  Random random;
  ExpressionGenerator expressions;
};

} // namespace regrain::fuzz
