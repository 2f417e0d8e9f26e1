//===- Generator.cpp - Random kernels that are well defined ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Generator.h"

#include "fuzz/ExpressionGenerator.h"
#include <algorithm>

namespace regrain::fuzz {

namespace {

using Block = std::vector<Stmt>;

/// Where a statement is to stand.
struct Place {
  Level path = Level::Block;
  unsigned depth = 0;
  std::optional<Level> loop; ///< of the loop around, where a jump may leave it
  Scope scope;
};

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed), expressions(kernel, random) {
    kernel.seed = seed;
  }

  Kernel run() {
    chooseShape();
    chooseMemory();
    State state;
    state.phases.assign(kernel.shared.size(), Phase::Fresh);
    state.filled.assign(kernel.shared.size(), false);
    Place place;
    place.path = kernel.guard == Guard::Branch ? Level::Thread : Level::Block;
    for (uint32_t id = 0; id < kernel.shared.size(); ++id) {
      kernel.body.push_back(make(StmtKind::FillShared, id));
      kernel.body.back().exprs = {valueFor(kernel.shared[id].type, place, state)};
      state.filled[id] = true;
      state.phases[id] = Phase::Own;
    }
    Block rest = statements(place, state, random.between(3, 7));
    std::move(rest.begin(), rest.end(), std::back_inserter(kernel.body));
    finish(place, state);
    return std::move(kernel);
  }

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
  void barrier(State &state, Block &block) {
    block.push_back(make(StmtKind::Barrier, 0, random.percent(15)));
    state.meet();
  }

  uint32_t newVariable(Type type, Level level) {
    kernel.variables.push_back({type, level});
    return uint32_t(kernel.variables.size() - 1);
  }
  Expr valueFor(Type type, const Place &place, State &state, unsigned depth = 3) {
    return expressions.value(type, Level::Thread, place.scope, state, depth);
  }
  /// A level for a branch: mostly one that keeps the block together.
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
  /// Makes an access legal with a barrier, where one may stand.
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

void Generator::chooseShape() {
  static const std::vector<std::array<uint32_t, 3>> lines = {
      {32, 1, 1}, {64, 1, 1}, {96, 1, 1}, {128, 1, 1}, {48, 1, 1},  {24, 1, 1},  {60, 1, 1},
      {36, 1, 1}, {33, 1, 1}, {17, 1, 1}, {1, 1, 1},   {192, 1, 1}, {256, 1, 1}, {64, 1, 1}};
  static const std::vector<std::array<uint32_t, 3>> planes = {
      {16, 4, 1}, {8, 8, 1},  {32, 2, 1}, {32, 4, 1}, {12, 6, 1},
      {5, 7, 1},  {1, 32, 1}, {64, 2, 1}, {9, 3, 1},  {4, 24, 1}};
  static const std::vector<std::array<uint32_t, 3>> solids = {
      {8, 4, 2}, {4, 4, 4}, {32, 2, 2}, {6, 2, 4}, {3, 3, 3}, {2, 6, 8}, {1, 2, 16}};
  kernel.dimensions = random.percent(60) ? 1 : random.between(2, 3);
  kernel.shape.block = random.of(kernel.dimensions == 1   ? lines
                                 : kernel.dimensions == 2 ? planes
                                                          : solids);
  kernel.shape.grid = {random.between(1, 13), 1, 1};
  for (unsigned d = 1; d < kernel.dimensions; ++d) {
    kernel.shape.grid[0] = random.between(1, 5);
    kernel.shape.grid[d] = random.between(1, 4);
  }
  uint32_t total = kernel.shape.threads() * kernel.shape.blocks();
  kernel.size = random.between(1, total * 2);
  for (uint32_t &argument : kernel.arguments)
    argument = random.percent(60) ? random.below(16) : uint32_t(random.bits());
  kernel.guard = random.percent(25)   ? Guard::Return
                 : random.percent(20) ? Guard::Branch
                                      : Guard::None;
  kernel.literalThreads = random.percent(30);
  kernel.hasLaunchBounds = random.percent(20);
  kernel.hasRestrict = random.percent(40);
}

void Generator::chooseMemory() {
  static const std::vector<Type> types = {Type::U32, Type::U32, Type::U32, Type::U64, Type::F32};
  uint32_t arrays = kernel.guard == Guard::Branch ? 0 : random.below(4);
  for (uint32_t i = 0; i < arrays; ++i) {
    SharedArray array;
    array.type = random.of(types);
    array.storage = random.percent(60)   ? Storage::Static
                    : random.percent(60) ? Storage::Dynamic
                                         : Storage::Global;
    array.perThread = kernel.guard == Guard::None ? random.between(1, 2) : 1;
    array.isVolatile = random.percent(8);
    array.operation = random.below(atomicOperations);
    kernel.shared.push_back(array);
  }
  for (uint32_t i = random.below(3); i > 0; --i)
    kernel.local.push_back({random.between(2, 9), random.percent(30)});
  for (uint32_t i = random.below(3); i > 0; --i) {
    Function function;
    function.parameters = random.between(1, 2);
    function.isInline = random.percent(50);
    function.body = expressions.functionBody(function.parameters, 3);
    kernel.functions.push_back(std::move(function));
  }
}

/// What the threads have found out must reach memory.
void Generator::finish(const Place &place, State &state) {
  Stmt stmt = make(StmtKind::StoreOwn, 0);
  Expr sum = valueFor(Type::U32, place, state, 2);
  for (uint32_t id : place.scope.readable)
    if (kernel.variables[id].type == Type::U32) {
      Expr next;
      next.kind = ExprKind::Binary;
      next.op = Op::Add;
      Expr variable;
      variable.kind = ExprKind::Variable;
      variable.id = id;
      next.operands = {std::move(sum), std::move(variable)};
      sum = std::move(next);
    }
  // The last thing that threads do with shared memory is to read what others
  // wrote: nothing of the kernel keeps the block that runs next off it.
  for (uint32_t id = 0; id < kernel.shared.size(); ++id)
    if (open(id, Access::AnyRead, place, state, kernel.body))
      sum = expressions.plusShared(std::move(sum), id, valueFor(Type::U32, place, state, 1));
  stmt.exprs = {std::move(sum)};
  kernel.body.push_back(std::move(stmt));
}

Block Generator::statements(Place &place, State &state, unsigned count) {
  Block block;
  for (unsigned i = 0; i < count; ++i)
    statement(place, state, block);
  return block;
}

void Generator::store(const Place &place, State &state, Block &block) {
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

void Generator::atomic(const Place &place, State &state, Block &block) {
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

void Generator::shared(const Place &place, State &state, Block &block) {
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
    exprs.push_back(valueFor(Type::U32, place, state, 0));
  if (!open(id, Access::OwnWrite, place, state, block))
    return;
  block.push_back(make(StmtKind::StoreShared, id));
  block.back().exprs = std::move(exprs);
}

void Generator::variable(Place &place, State &state, Block &block) {
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
    uint32_t id = newVariable(Type::U32, Level::Thread);
    block.push_back(make(StmtKind::AtomicOwn, random.below(resultSlots), id));
    block.back().exprs = {std::move(value)};
    place.scope.readable.push_back(id);
    return;
  }
  Type type = random.of(types);
  Level level = random.of(levels);
  Expr value = expressions.value(type, level, place.scope, state, 3);
  uint32_t id = newVariable(type, level);
  block.push_back(make(StmtKind::Declare, id));
  block.back().exprs = {std::move(value)};
  place.scope.readable.push_back(id);
  place.scope.assignable.push_back(id);
}

void Generator::meeting(Place &place, State &state, Block &block) {
  if (place.path != Level::Block)
    return variable(place, state, block);
  if (!random.percent(30))
    return barrier(state, block);
  Expr asked = expressions.condition(Level::Thread, place.scope, state);
  uint32_t id = newVariable(Type::U32, Level::Block);
  block.push_back(make(StmtKind::BarrierVote, id, random.below(3)));
  block.back().exprs = {std::move(asked)};
  place.scope.readable.push_back(id);
  state.meet();
}

void Generator::warp(Place &place, State &state, Block &block) {
  if (place.path == Level::Thread || !state.allAlive || kernel.guard != Guard::None ||
      !hasWholeWarps(kernel))
    return atomic(place, state, block);
  if (random.percent(15)) {
    block.push_back(make(StmtKind::WarpSync));
    return;
  }
  bool isVote = random.percent(35);
  Stmt stmt = make(isVote ? StmtKind::WarpVote : StmtKind::WarpExchange, 0, random.below(12));
  if (isVote) {
    stmt.exprs = {expressions.condition(Level::Thread, place.scope, state)};
    stmt.id = newVariable(Type::U32, Level::Warp);
  } else {
    Type type = random.percent(75) ? Type::U32 : Type::F32;
    stmt.exprs = {valueFor(type, place, state, 2)};
    stmt.exprs.push_back(stmt.aux % 4 == 0 ? valueFor(Type::U32, place, state, 1)
                                           : literal(random.below(32)));
    stmt.id = newVariable(type, Level::Thread);
  }
  place.scope.readable.push_back(stmt.id);
  block.push_back(std::move(stmt));
}

void Generator::branch(const Place &place, State &state, Block &block) {
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

void Generator::chooseCase(const Place &place, State &state, Block &block) {
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

void Generator::loop(const Place &place, State &state, Block &block) {
  bool strides = random.percent(25);
  Stmt stmt = make(strides              ? StmtKind::GridStride
                   : random.percent(70) ? StmtKind::For
                                        : StmtKind::While,
                   0, random.below(12));
  stmt.level = strides ? Level::Thread : chooseLevel(place);
  stmt.limit = random.between(2, place.depth > 0 ? 4 : 7);
  Place within = inside(place, stmt.level);
  bool meetsAtEnd = within.path == Level::Block && random.percent(60);
  if (meetsAtEnd)
    barrier(state, block);
  State entry = state;
  if (within.path == Level::Block && !meetsAtEnd)
    std::fill(state.phases.begin(), state.phases.end(), Phase::Mixed);
  // A return in the body is felt in the next round.
  bool returns = random.percent(8);
  if (returns)
    state.allAlive = false;
  if (!strides)
    stmt.exprs = {random.percent(50)
                      ? literal(stmt.limit - 1)
                      : expressions.value(Type::U32, stmt.level, place.scope, state, 2)};
  stmt.id = newVariable(Type::U32, std::max(within.path, stmt.level));
  within.scope.readable.push_back(stmt.id);
  within.scope.hasElement |= strides;
  // Jumps are felt by those that stay: they are for loops without a barrier.
  within.loop.reset();
  if (!meetsAtEnd)
    within.loop = within.path;
  stmt.blocks = {statements(within, state, random.between(1, 4))};
  if (meetsAtEnd) {
    barrier(state, stmt.blocks[0]);
    // The condition is read after the barrier, and by none after the loop.
  }
  state.joinWith(entry);
  block.push_back(std::move(stmt));
}

void Generator::jump(const Place &place, State &state, Block &block) {
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

void Generator::statement(Place &place, State &state, Block &block) {
  uint32_t roll = random.below(100);
  bool mayNest = place.depth < 3;
  if (roll < 14)
    return store(place, state, block);
  if (roll < 34)
    return variable(place, state, block);
  if (roll < 48)
    return shared(place, state, block);
  if (roll < 56)
    return atomic(place, state, block);
  if (roll < 64)
    return meeting(place, state, block);
  if (roll < 72)
    return warp(place, state, block);
  if (roll < 76)
    return jump(place, state, block);
  if (roll < 77) {
    block.push_back(make(StmtKind::Fence, 0, random.below(2)));
    return;
  }
  if (!mayNest)
    return variable(place, state, block);
  if (roll < 87)
    return branch(place, state, block);
  if (roll < 90)
    return chooseCase(place, state, block);
  return loop(place, state, block);
}

} // namespace

Kernel generate(uint64_t seed) {
  // A kernel that breaks a rule in a way that only the whole shows (what a later
  // round of a loop finds) is drawn anew; the seed still decides everything.
  for (uint64_t attempt = seed;; splitMix(attempt)) {
    Kernel kernel = Generator(attempt).run();
    kernel.seed = seed;
    if (findFault(kernel).empty())
      return kernel;
  }
}

} // namespace regrain::fuzz
