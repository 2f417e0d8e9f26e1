//===- FlagGenerator.cpp - Flags live across barriers ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils with ghost zones have this form: threads between the limits of their
// block compute something and record it in a flag; after a barrier the flag, not
// the limits, determines which threads continue. Often this is in a loop that is
// left in its middle.
//
//===----------------------------------------------------------------------===//
#include "fuzz/KernelGenerator.h"

namespace regrain::fuzz {

namespace {

constexpr Type word = Type::U32;

Expr builtin(Builtin which, unsigned dimension = 0) {
  return fuzz::make(ExprKind::Builtin, word, uint32_t(which) + dimension);
}
Expr variableOf(uint32_t id) { return fuzz::make(ExprKind::Variable, word, id); }

/// low <= thread && thread < high
Expr isBetween(const Limits &limits) {
  Expr next = apply(Op::Add, word, {builtin(limits.thread), literal(1)});
  return apply(Op::Both, word,
               {apply(Op::Less, word, {variableOf(limits.low), std::move(next)}),
                apply(Op::Less, word, {builtin(limits.thread), variableOf(limits.high)})});
}

} // namespace

Limits KernelGenerator::declareLimits(Place &place, State &state, Block &block) {
  unsigned d = random.below(kernel.dimensions);
  uint32_t extent = kernel.shape.block[d];
  auto any = [&] {
    return apply(Op::Rem, word,
                 {expressions.value(word, Level::Block, place.scope, state, 2), literal(extent)});
  };
  /// Returns a value of its own if the block's number plus `ahead` is `number`.
  auto atEdge = [&](unsigned ahead, Expr number, uint32_t there, uint32_t elsewhere) {
    Expr own = apply(Op::Add, word, {builtin(Builtin::BlockX, d), literal(ahead)});
    Expr isThere = apply(Op::Equal, word, {std::move(own), std::move(number)});
    return fuzz::make(ExprKind::Select, word, 0,
                      {std::move(isThere), literal(there), literal(elsewhere)});
  };
  Expr low = random.percent(60) ? atEdge(0, literal(0), random.below(extent), 0) : any();
  Expr high = random.percent(60)
                  ? atEdge(1, builtin(Builtin::BlocksX, d), random.between(1, extent), extent)
                  : any();
  Limits limits;
  limits.thread = Builtin(unsigned(Builtin::ThreadX) + d);
  limits.low = declare({word, Level::Block}, std::move(low), place, block);
  limits.high = declare({word, Level::Block}, std::move(high), place, block);
  return limits;
}

/// Declares the index of a neighbour's element of a shared array, or of the
/// nearest one between the limits.
void KernelGenerator::declareIndex(const Limits &limits, Place &place, State &state, Block &block) {
  uint32_t array = random.below(uint32_t(kernel.shared.size()));
  Expr neighbour =
      random.percent(70)
          ? apply(random.percent(50) ? Op::Add : Op::Sub, word,
                  {builtin(random.percent(50) ? Builtin::Tid : limits.thread), literal(1)})
          : expressions.value(word, Level::Thread, place.scope, state, 2);
  Variable variable;
  variable.indexOf = array;
  uint32_t id = newVariable(variable);
  block.push_back(make(StmtKind::DeclareIndex, id));
  block.back().exprs = {std::move(neighbour), variableOf(limits.low), variableOf(limits.high)};
  place.scope.readable.push_back(id);
}

/// Threads compute something and set the flag.
Stmt KernelGenerator::mark(const Carried &carried, const Place &place, State &state) {
  Stmt stmt = make(StmtKind::If);
  stmt.level = Level::Thread;
  stmt.exprs = {random.percent(70) ? isBetween(carried.limits)
                                   : expressions.condition(Level::Thread, place.scope, state)};
  Place within = inside(place, Level::Thread);
  stmt.blocks.resize(2);
  stmt.blocks[0].push_back(make(StmtKind::Assign, carried.flag));
  stmt.blocks[0].back().exprs = {literal(1)};
  shared(within, state, stmt.blocks[0]);
  if (random.percent(30))
    statement(within, state, stmt.blocks[0]);
  return stmt;
}

/// The threads whose flag is set continue.
Stmt KernelGenerator::underFlag(const Carried &carried, const Place &place, State &state) {
  Stmt stmt = make(StmtKind::If);
  stmt.level = Level::Thread;
  Expr asked = variableOf(carried.flag);
  if (random.percent(15))
    asked = apply(Op::Both, word, {std::move(asked), isBetween(carried.limits)});
  else if (random.percent(15))
    asked = apply(Op::Equal, word, {std::move(asked), literal(0)});
  stmt.exprs = {std::move(asked)};
  Place within = inside(place, Level::Thread);
  stmt.blocks.resize(2);
  if (random.percent(60))
    shared(within, state, stmt.blocks[0]);
  else
    store(within, state, stmt.blocks[0]);
  if (random.percent(20))
    statement(within, state, stmt.blocks[0]);
  if (random.percent(15))
    store(within, state, stmt.blocks[1]);
  return stmt;
}

void KernelGenerator::carryOverBarrier(const Carried &carried, const Place &place, State &state,
                                       Block &block) {
  block.push_back(mark(carried, place, state));
  barrier(state, block);
  if (random.percent(30)) {
    block.push_back(underFlag(carried, place, state));
    barrier(state, block);
  }
}

/// The number is usually the same in all blocks, so that they can be fused.
Expr KernelGenerator::roundsOf(const Stmt &loop, const Place &place, State &state) {
  if (random.percent(50))
    return literal(loop.limit - 1);
  if (random.percent(25))
    return expressions.value(word, Level::Block, place.scope, state, 2);
  return fuzz::make(ExprKind::Argument, word, random.below(3));
}

void KernelGenerator::carryAroundLoop(const Carried &carried, const Place &place, State &state,
                                      Block &block) {
  bool countsDown = !carried.isUnset && random.percent(25);
  Stmt loop = make(countsDown ? StmtKind::While : StmtKind::For, newVariable({word, Level::Block}),
                   random.below(12));
  loop.limit = random.between(2, 5);
  if (!carried.isUnset)
    loop.exprs = {roundsOf(loop, place, state)};
  barrier(state, block);
  State left = state;
  Place within = inside(place, Level::Block);
  within.loop.reset();
  within.scope.readable.push_back(loop.id);
  Block body;
  if (carried.isUnset || random.percent(80)) {
    body.push_back(make(StmtKind::Assign, carried.flag));
    body.back().exprs = {literal(0)};
  }
  body.push_back(mark(carried, within, state));
  barrier(state, body);
  if (random.percent(70)) {
    body.push_back(make(StmtKind::Break));
    body.back().exprs = {
        apply(Op::Equal, word, {variableOf(loop.id), literal(random.below(loop.limit))})};
    left.joinWith(state);
  }
  body.push_back(underFlag(carried, within, state));
  barrier(state, body);
  loop.blocks = {std::move(body)};
  block.push_back(std::move(loop));
  state.joinWith(left);
}

void KernelGenerator::carry(Place &place, State &state, Block &block) {
  if (place.path != Level::Block)
    return branch(place, state, block);
  Carried carried;
  carried.limits = declareLimits(place, state, block);
  if (!kernel.shared.empty())
    declareIndex(carried.limits, place, state, block);
  bool goesRound = random.percent(60);
  carried.isUnset = goesRound && random.percent(30);
  std::optional<Expr> first;
  if (!carried.isUnset)
    first =
        random.percent(60) ? literal(0) : expressions.condition(Level::Thread, place.scope, state);
  Variable variable;
  variable.isFlag = true;
  carried.flag = declare(variable, std::move(first), place, block);
  if (goesRound)
    carryAroundLoop(carried, place, state, block);
  else
    carryOverBarrier(carried, place, state, block);
  block.push_back(underFlag(carried, place, state));
}

} // namespace regrain::fuzz
