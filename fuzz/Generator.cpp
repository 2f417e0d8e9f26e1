//===- Generator.cpp - Random kernels that are well defined ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Generator.h"

#include "fuzz/Additions.h"
#include "fuzz/KernelGenerator.h"

namespace regrain::fuzz {

Kernel KernelGenerator::run() {
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

void KernelGenerator::chooseShape() {
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

void KernelGenerator::chooseMemory() {
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

/// The results of the threads must reach memory.
void KernelGenerator::finish(const Place &place, State &state) {
  Stmt stmt = make(StmtKind::StoreOwn, 0);
  Expr sum = valueFor(Type::U32, place, state, 2);
  for (uint32_t id : place.scope.readable)
    if (kernel.variables[id].type == Type::U32)
      sum = apply(Op::Add, Type::U32,
                  {std::move(sum), fuzz::make(ExprKind::Variable, Type::U32, id)});
  // The last access of threads to shared memory reads what others wrote:
  // nothing in the kernel keeps the next block from overwriting it.
  for (uint32_t id = 0; id < kernel.shared.size(); ++id)
    if (open(id, Access::AnyRead, place, state, kernel.body))
      sum = expressions.plusShared(std::move(sum), id, valueFor(Type::U32, place, state, 1));
  stmt.exprs = {std::move(sum)};
  kernel.body.push_back(std::move(stmt));
}

Block KernelGenerator::statements(Place &place, State &state, unsigned count) {
  Block block;
  for (unsigned i = 0; i < count; ++i)
    statement(place, state, block);
  return block;
}

void KernelGenerator::statement(Place &place, State &state, Block &block) {
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
  if (roll < 84)
    return branch(place, state, block);
  if (roll < 89)
    return carry(place, state, block);
  if (roll < 92)
    return chooseCase(place, state, block);
  return loop(place, state, block);
}

Kernel generate(uint64_t seed) {
  // A kernel that breaks a rule in a way that only the whole kernel shows (in a
  // later iteration of a loop) is drawn again; the seed still determines
  // everything.
  for (uint64_t attempt = seed;; splitMix(attempt)) {
    Kernel kernel = KernelGenerator(attempt).run();
    kernel.seed = seed;
    if (findFault(kernel).empty())
      return withAdditions(std::move(kernel));
  }
}

} // namespace regrain::fuzz
