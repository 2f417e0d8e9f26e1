//===- StatementGenerator.cpp - Random statements without a body ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/KernelGenerator.h"

namespace regrain::fuzz {

void KernelGenerator::store(const Place &place, State &state, Block &block) {
  if (place.scope.hasElement && random.percent(50)) {
    block.push_back(make(StmtKind::StoreElement));
    block.back().exprs = {valueFor(Type::U32, place, state)};
    return;
  }
  if (!kernel.local.empty() && random.percent(35)) {
    Stmt stmt = make(StmtKind::StoreLocal, random.below(uint32_t(kernel.local.size())));
    stmt.exprs = {valueFor(Type::U32, place, state, 1)};
    stmt.exprs.push_back(valueFor(Type::U32, place, state));
    block.push_back(std::move(stmt));
    return;
  }
  bool isReal = random.percent(25);
  Stmt stmt = make(StmtKind::StoreOwn, isReal ? 0 : random.below(resultSlots));
  stmt.exprs = {valueFor(isReal ? Type::F32 : Type::U32, place, state)};
  if (!isReal && random.percent(35))
    stmt.exprs.push_back(valueFor(Type::U32, place, state, 1));
  block.push_back(std::move(stmt));
}

void KernelGenerator::atomic(const Place &place, State &state, Block &block) {
  std::vector<uint32_t> arrays;
  for (uint32_t id = 0; id < kernel.shared.size(); ++id)
    if (kernel.shared[id].type == Type::U32 && !kernel.shared[id].isVolatile)
      arrays.push_back(id);
  Expr index = valueFor(Type::U32, place, state, 1), value = valueFor(Type::U32, place, state, 2);
  Stmt stmt = make(StmtKind::AtomicGlobal, 0, random.below(atomicOperations));
  if (!arrays.empty() && random.percent(60)) {
    stmt = make(StmtKind::AtomicShared, random.of(arrays));
    if (!open(stmt.id, Access::Atomic, place, state, block))
      return;
  }
  stmt.exprs = {std::move(index), std::move(value)};
  block.push_back(std::move(stmt));
}

void KernelGenerator::shared(const Place &place, State &state, Block &block) {
  if (kernel.shared.empty())
    return store(place, state, block);
  uint32_t id = random.below(uint32_t(kernel.shared.size()));
  if (random.percent(15)) {
    Expr index = valueFor(Type::U32, place, state, 1);
    Expr value = valueFor(kernel.shared[id].type, place, state, 2);
    if (!open(id, Access::LeaderWrite, place, state, block))
      return;
    block.push_back(make(StmtKind::LeaderStore, id));
    block.back().exprs = {std::move(index), std::move(value)};
    return;
  }
  if (place.path == Level::Block && random.percent(15)) {
    block.push_back(make(StmtKind::TreeReduce, id, random.below(3)));
    return state.meet();
  }
  std::vector<Expr> exprs = {valueFor(kernel.shared[id].type, place, state)};
  if (kernel.shared[id].perThread > 1 && random.percent(60))
    exprs.push_back(expressions.ownElement(place.scope, state));
  if (!open(id, Access::OwnWrite, place, state, block))
    return;
  block.push_back(make(StmtKind::StoreShared, id));
  block.back().exprs = std::move(exprs);
}

void KernelGenerator::variable(Place &place, State &state, Block &block) {
  std::vector<uint32_t> assignable;
  for (uint32_t id : place.scope.assignable)
    if (kernel.variables[id].level >= place.path)
      assignable.push_back(id);
  if (!assignable.empty() && random.percent(60)) {
    uint32_t id = random.of(assignable);
    Expr value = expressions.value(kernel.variables[id].type, kernel.variables[id].level,
                                   place.scope, state, 3);
    block.push_back(make(StmtKind::Assign, id));
    block.back().exprs = {std::move(value)};
    return;
  }
  static const std::vector<Type> types = {Type::U32, Type::U32, Type::U64, Type::F32};
  static const std::vector<Level> levels = {Level::Block, Level::Thread, Level::Thread};
  if (random.percent(8)) {
    Expr value = valueFor(Type::U32, place, state, 1);
    uint32_t id = newVariable({Type::U32, Level::Thread});
    block.push_back(make(StmtKind::AtomicOwn, random.below(resultSlots), id));
    block.back().exprs = {std::move(value)};
    place.scope.readable.push_back(id);
    return;
  }
  Level level = random.of(levels);
  if (random.percent(15)) {
    Expr asked = expressions.condition(level, place.scope, state);
    declare({Type::U32, level, /*isFlag=*/true}, std::move(asked), place, block);
    return;
  }
  Type type = random.of(types);
  Expr value = expressions.value(type, level, place.scope, state, 3);
  declare({type, level}, std::move(value), place, block);
}

uint32_t KernelGenerator::declare(Variable variable, std::optional<Expr> value, Place &place,
                                  Block &block) {
  uint32_t id = newVariable(variable);
  block.push_back(make(StmtKind::Declare, id));
  if (value)
    block.back().exprs = {std::move(*value)};
  place.scope.readable.push_back(id);
  place.scope.assignable.push_back(id);
  return id;
}

void KernelGenerator::meeting(Place &place, State &state, Block &block) {
  if (place.path != Level::Block)
    return variable(place, state, block);
  if (!random.percent(30))
    return barrier(state, block);
  Expr asked = expressions.condition(Level::Thread, place.scope, state);
  uint32_t id = newVariable({Type::U32, Level::Block});
  block.push_back(make(StmtKind::BarrierVote, id, random.below(3)));
  block.back().exprs = {std::move(asked)};
  place.scope.readable.push_back(id);
  state.meet();
}

void KernelGenerator::warp(Place &place, State &state, Block &block) {
  if (place.path == Level::Thread || !state.allAlive || kernel.guard != Guard::None ||
      !hasWholeWarps(kernel))
    return atomic(place, state, block);
  if (random.percent(15)) {
    block.push_back(make(StmtKind::WarpSync));
    return;
  }
  bool isVote = random.percent(35);
  Stmt stmt =
      make(isVote ? StmtKind::WarpVote : StmtKind::WarpExchange, 0, random.below(plainExchanges));
  if (isVote) {
    stmt.exprs = {expressions.condition(Level::Thread, place.scope, state)};
    stmt.id = newVariable({Type::U32, Level::Warp});
  } else {
    Type type = random.percent(75) ? Type::U32 : Type::F32;
    stmt.exprs = {valueFor(type, place, state, 2)};
    stmt.exprs.push_back(stmt.aux % 4 == 0 ? valueFor(Type::U32, place, state, 1)
                                           : literal(random.below(32)));
    stmt.id = newVariable({type, Level::Thread});
  }
  place.scope.readable.push_back(stmt.id);
  block.push_back(std::move(stmt));
}

void KernelGenerator::jump(const Place &place, State &state, Block &block) {
  bool leavesLoop = place.loop && random.percent(75);
  if (!leavesLoop && (place.depth > 0 ? state.allAlive || random.percent(50) : random.percent(60)))
    return store(place, state, block);
  Stmt stmt = make(!leavesLoop          ? StmtKind::Return
                   : random.percent(70) ? StmtKind::Break
                                        : StmtKind::Continue);
  stmt.level = leavesLoop ? *place.loop : Level::Thread;
  if (leavesLoop && place.path > *place.loop)
    return store(place, state, block);
  stmt.exprs = {expressions.condition(stmt.level, place.scope, state)};
  if (!leavesLoop)
    state.allAlive = false;
  block.push_back(std::move(stmt));
}

} // namespace regrain::fuzz
