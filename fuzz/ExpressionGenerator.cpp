//===- ExpressionGenerator.cpp - Random values ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/ExpressionGenerator.h"

namespace regrain::fuzz {

namespace {

const std::vector<Op> wordOps = {Op::Add, Op::Sub,  Op::Mul,  Op::Mul, Op::Div, Op::Rem,
                                 Op::And, Op::Or,   Op::Xor,  Op::Shl, Op::Shr, Op::Add,
                                 Op::Xor, Op::AShr, Op::SMin, Op::UMax};
const std::vector<Op> wideOps = {Op::Add, Op::Sub, Op::Mul, Op::Rem, Op::And,
                                 Op::Or,  Op::Xor, Op::Shl, Op::Shr};
const std::vector<Op> realOps = {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Fma};
const std::vector<Op> unaryOps = {Op::Not, Op::Popc, Op::Reverse, Op::LeadingZeros};
const std::vector<Op> comparisons = {Op::Less, Op::SLess, Op::Equal};
const std::vector<Type> types = {Type::U32, Type::U32, Type::U64, Type::F32};

} // namespace

Expr make(ExprKind kind, Type type, uint32_t id, std::vector<Expr> operands) {
  Expr expr;
  expr.kind = kind;
  expr.type = type;
  expr.id = id;
  expr.operands = std::move(operands);
  return expr;
}

Expr apply(Op op, Type type, std::vector<Expr> operands) {
  Expr expr =
      make(operands.size() == 1 ? ExprKind::Unary : ExprKind::Binary, type, 0, std::move(operands));
  expr.op = op;
  return expr;
}

Expr literal(uint64_t value, Type type) {
  Expr expr = make(ExprKind::Literal, type, 0);
  expr.value = value;
  return expr;
}

Expr ExpressionGenerator::builtin(Level level) {
  std::vector<Builtin> choices = {Builtin::BlockX,  Builtin::BlockId, Builtin::ThreadsX,
                                  Builtin::BlocksX, Builtin::Size,    Builtin::Live};
  auto byDimension = [&](Builtin x) {
    for (unsigned d = 0; d < kernel.dimensions; ++d)
      choices.push_back(Builtin(unsigned(x) + d));
  };
  byDimension(Builtin::BlockX);
  if (level >= Level::Warp)
    choices.push_back(Builtin::WarpId);
  if (level == Level::Thread) {
    byDimension(Builtin::ThreadX);
    byDimension(Builtin::ThreadX);
    choices.insert(choices.end(), {Builtin::Tid, Builtin::Tid, Builtin::Gid, Builtin::Gid});
    if (kernel.dimensions == 1)
      choices.push_back(Builtin::Lane);
  }
  return make(ExprKind::Builtin, Type::U32, uint32_t(random.of(choices)));
}

/// Returns a divisor that is never 0, although a compiler cannot know this.
Expr ExpressionGenerator::extent() {
  static const std::vector<Builtin> extents = {Builtin::ThreadsX, Builtin::BlocksX, Builtin::Size,
                                               Builtin::Live};
  return make(ExprKind::Builtin, Type::U32, uint32_t(random.of(extents)));
}

/// Returns a slot by number, or one that is determined only at run time.
Expr ExpressionGenerator::ownSlot(Level level, const Scope &scope, State &state) {
  Expr slot = make(ExprKind::Own, Type::U32, random.below(resultSlots));
  if (random.percent(40))
    slot.operands.push_back(leaf(Type::U32, level, scope, state));
  return slot;
}

Expr ExpressionGenerator::leaf(Type type, Level level, const Scope &scope, State &state) {
  std::vector<uint32_t> variables;
  for (uint32_t id : scope.readable)
    if (kernel.variables[id].type == type && kernel.variables[id].level <= level)
      variables.push_back(id);
  if (!variables.empty() && random.percent(55))
    return make(ExprKind::Variable, type, random.of(variables));
  if (type == Type::F32) {
    if (level == Level::Thread && random.percent(40))
      return make(ExprKind::Own, type, 0);
    return random.percent(50) ? make(ExprKind::Argument, type, 3) : literal(random.below(9), type);
  }
  if (type == Type::U64)
    return literal(random.bits() >> random.below(60), type);
  if (random.percent(20))
    return literal(random.percent(70) ? random.below(10) : random.bits() >> 32);
  if (random.percent(25))
    return make(ExprKind::Argument, type, random.below(3));
  if (level == Level::Thread && scope.hasElement && random.percent(30))
    return make(ExprKind::Element, type, 0);
  if (level == Level::Thread && random.percent(15))
    return ownSlot(level, scope, state);
  return builtin(level);
}

Expr ExpressionGenerator::ownElement(const Scope &scope, State &state) {
  Level level = random.percent(60) ? Level::Block : Level::Thread;
  Expr number = value(Type::U32, level, scope, state, random.below(3));
  return random.percent(40) ? apply(Op::Div, Type::U32, {std::move(number), extent()}) : number;
}

/// Returns an index into a shared array that is already in a variable, or any
/// number.
Expr ExpressionGenerator::index(uint32_t array, Level level, const Scope &scope, State &state,
                                unsigned depth) {
  std::vector<uint32_t> known;
  for (uint32_t id : scope.readable)
    if (kernel.variables[id].indexOf == array && kernel.variables[id].level <= level)
      known.push_back(id);
  if (!known.empty() && random.percent(60))
    return make(ExprKind::Variable, Type::U32, random.of(known));
  return value(Type::U32, level, scope, state, depth);
}

bool ExpressionGenerator::sharedRead(Expr &out, Type type, Level level, const Scope &scope,
                                     State &state, unsigned depth) {
  std::vector<Expr> choices;
  for (uint32_t id = 0; id < kernel.shared.size(); ++id) {
    if (kernel.shared[id].type != type || !state.filled[id])
      continue;
    if (level == Level::Thread && advance(state.phases[id], Access::OwnRead))
      choices.push_back(make(ExprKind::SharedOwn, type, id));
    if (advance(state.phases[id], Access::AnyRead))
      choices.push_back(make(ExprKind::SharedAny, type, id));
  }
  if (choices.empty())
    return false;
  out = random.of(choices);
  bool isOwn = out.kind == ExprKind::SharedOwn;
  state.phases[out.id] = *advance(state.phases[out.id], isOwn ? Access::OwnRead : Access::AnyRead);
  if (!isOwn)
    out.operands.push_back(index(out.id, level, scope, state, depth));
  else if (kernel.shared[out.id].perThread > 1 && random.percent(60))
    out.operands.push_back(ownElement(scope, state));
  return true;
}

Expr ExpressionGenerator::memory(Type type, Level level, const Scope &scope, State &state,
                                 unsigned depth) {
  Expr shared;
  if (random.percent(60) && sharedRead(shared, type, level, scope, state, depth))
    return shared;
  if (type != Type::U32)
    return leaf(type, level, scope, state);
  Expr index = value(Type::U32, level, scope, state, depth);
  if (level == Level::Thread && !kernel.local.empty() && random.percent(35))
    return make(ExprKind::LocalElement, type, random.below(uint32_t(kernel.local.size())),
                {std::move(index)});
  static const std::vector<ExprKind> kinds = {ExprKind::Input, ExprKind::Input, ExprKind::Input,
                                              ExprKind::Constant, ExprKind::ArgumentTable};
  return make(random.of(kinds), type, 0, {std::move(index)});
}

Expr ExpressionGenerator::operation(Type type, Level level, const Scope &scope, State &state,
                                    unsigned depth) {
  auto operand = [&](Type of) { return value(of, level, scope, state, depth); };
  if (type == Type::U32 && !kernel.functions.empty() && random.percent(12)) {
    uint32_t id = random.below(uint32_t(kernel.functions.size()));
    std::vector<Expr> operands;
    for (uint32_t i = 0; i < kernel.functions[id].parameters; ++i)
      operands.push_back(operand(Type::U32));
    return make(ExprKind::Call, type, id, std::move(operands));
  }
  if (random.percent(12)) {
    Expr asked = condition(level, scope, state);
    Expr first = operand(type);
    return make(ExprKind::Select, type, 0, {std::move(asked), std::move(first), operand(type)});
  }
  if (random.percent(14))
    return make(ExprKind::Convert, type, 0, {operand(random.of(types))});
  if (type != Type::F32 && random.percent(12))
    return apply(random.of(unaryOps), type, {operand(type)});
  Expr left = operand(type);
  const std::vector<Op> &ops = type == Type::U32 ? wordOps : type == Type::U64 ? wideOps : realOps;
  Op op = random.of(ops);
  if (type == Type::U32 && (op == Op::Div || op == Op::Rem) && random.percent(50))
    return apply(op, type, {std::move(left), extent()});
  return apply(op, type, {std::move(left), operand(type)});
}

Expr ExpressionGenerator::value(Type type, Level level, const Scope &scope, State &state,
                                unsigned depth) {
  if (depth == 0 || random.percent(20))
    return leaf(type, level, scope, state);
  if (random.percent(30))
    return memory(type, level, scope, state, depth - 1);
  return operation(type, level, scope, state, depth - 1);
}

Expr ExpressionGenerator::condition(Level level, const Scope &scope, State &state) {
  if (level != Level::Thread && random.percent(15))
    return make(ExprKind::Disguise, Type::U32, 0, {comparison(level, scope, state)});
  return comparison(level, scope, state);
}

Expr ExpressionGenerator::comparison(Level level, const Scope &scope, State &state) {
  if (random.percent(15)) {
    Expr left = comparison(level, scope, state);
    return apply(random.percent(50) ? Op::Both : Op::Either, Type::U32,
                 {std::move(left), comparison(level, scope, state)});
  }
  std::vector<uint32_t> flags;
  for (uint32_t id : scope.readable)
    if (kernel.variables[id].isFlag && kernel.variables[id].level <= level)
      flags.push_back(id);
  if (!flags.empty() && random.percent(20))
    return make(ExprKind::Variable, Type::U32, random.of(flags));
  // With a small remainder, both outcomes are likely.
  Expr left = value(Type::U32, level, scope, state, 1);
  if (random.percent(70)) {
    uint32_t modulus = random.between(2, 9) | 1;
    left = apply(Op::Rem, Type::U32, {std::move(left), literal(modulus)});
    return apply(random.of(comparisons), Type::U32,
                 {std::move(left), literal(random.below(modulus))});
  }
  return apply(random.of(comparisons), Type::U32,
               {std::move(left), value(Type::U32, level, scope, state, 1)});
}

Expr ExpressionGenerator::plusShared(Expr sum, uint32_t id, Expr index) {
  Expr element = make(ExprKind::SharedAny, kernel.shared[id].type, id, {std::move(index)});
  return apply(Op::Add, Type::U32,
               {std::move(sum), make(ExprKind::Convert, Type::U32, 0, {std::move(element)})});
}

Expr ExpressionGenerator::functionBody(uint32_t parameters, unsigned depth) {
  if (depth == 0 || random.percent(15))
    return random.percent(70) ? make(ExprKind::Argument, Type::U32, random.below(parameters))
                              : literal(random.below(100));
  if (random.percent(15)) {
    Expr asked = apply(random.of(comparisons), Type::U32,
                       {functionBody(parameters, 0), functionBody(parameters, depth - 1)});
    Expr first = functionBody(parameters, depth - 1);
    return make(ExprKind::Select, Type::U32, 0,
                {std::move(asked), std::move(first), functionBody(parameters, depth - 1)});
  }
  Expr left = functionBody(parameters, depth - 1);
  return apply(random.of(wordOps), Type::U32,
               {std::move(left), functionBody(parameters, depth - 1)});
}

} // namespace regrain::fuzz
