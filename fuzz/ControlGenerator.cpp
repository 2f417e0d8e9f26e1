//===- ControlGenerator.cpp - Random branches and loops -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/KernelGenerator.h"

#include <algorithm>

namespace regrain::fuzz {

void KernelGenerator::branch(const Place &place, State &state, Block &block) {
  Stmt stmt = make(StmtKind::If);
  stmt.level = chooseLevel(place);
  stmt.exprs = {expressions.condition(stmt.level, place.scope, state)};
  stmt.blocks.resize(2);
  Place within = inside(place, stmt.level), other = within;
  State before = state;
  stmt.blocks[0] = statements(within, state, random.between(1, 4));
  if (random.percent(45)) {
    if (within.path == Level::Block) {
      stmt.blocks[1] = statements(other, before, random.between(1, 3));
    } else {
      stmt.blocks[1] = statements(other, state, random.between(1, 3));
    }
  }
  if (within.path == Level::Block)
    state.joinWith(before);
  block.push_back(std::move(stmt));
}

void KernelGenerator::chooseCase(const Place &place, State &state, Block &block) {
  Stmt stmt = make(StmtKind::Switch, 0, random.percent(40) ? random.below(4) : 0);
  stmt.level = chooseLevel(place);
  stmt.exprs = {expressions.value(Type::U32, stmt.level, place.scope, state, 2)};
  stmt.blocks.resize(random.between(2, 3));
  Place within = inside(place, stmt.level);
  within.loop.reset();
  State entry = state, exit = state;
  for (size_t i = 0; i < stmt.blocks.size(); ++i) {
    Place own = within;
    if (within.path == Level::Block) {
      State at = entry;
      if (i > 0 && (stmt.aux >> (i - 1) & 1))
        at.joinWith(state);
      state = at;
    }
    stmt.blocks[i] = statements(own, state, random.between(1, 2));
    exit.joinWith(state);
  }
  if (within.path == Level::Block)
    state = exit;
  block.push_back(std::move(stmt));
}

void KernelGenerator::loop(const Place &place, State &state, Block &block) {
  bool strides = random.percent(25);
  Stmt stmt = make(strides              ? StmtKind::GridStride
                   : random.percent(70) ? StmtKind::For
                                        : StmtKind::While,
                   0, random.below(12));
  stmt.level = strides ? Level::Thread : chooseLevel(place);
  stmt.limit = random.between(2, place.depth > 0 ? 4 : 10);
  Place within = inside(place, stmt.level);
  bool meetsAtEnd = within.path == Level::Block && random.percent(60);
  if (meetsAtEnd)
    barrier(state, block);
  State entry = state;
  if (within.path == Level::Block && !meetsAtEnd)
    std::fill(state.phases.begin(), state.phases.end(), Phase::Mixed);
  // A return in the body has an effect in the next iteration.
  bool returns = random.percent(8);
  if (returns)
    state.allAlive = false;
  if (!strides)
    stmt.exprs = {random.percent(50)
                      ? literal(stmt.limit - 1)
                      : expressions.value(Type::U32, stmt.level, place.scope, state, 2)};
  stmt.id = newVariable({Type::U32, std::max(within.path, stmt.level)});
  within.scope.readable.push_back(stmt.id);
  within.scope.hasElement |= strides;
  // Jumps affect the threads that stay: they are only for loops without a
  // barrier.
  within.loop.reset();
  if (!meetsAtEnd)
    within.loop = within.path;
  stmt.blocks = {statements(within, state, random.between(1, 4))};
  if (meetsAtEnd) {
    barrier(state, stmt.blocks[0]);
    // The condition is read after the barrier, and by no thread after the loop.
  }
  state.joinWith(entry);
  block.push_back(std::move(stmt));
}

} // namespace regrain::fuzz
