//===- ExpressionGenerator.h - Random values --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Random.h"
#include "fuzz/Rules.h"

namespace regrain::fuzz {

/// The names that are visible at the point of generation.
struct Scope {
  std::vector<uint32_t> readable;   ///< variables
  std::vector<uint32_t> assignable; ///< those that are not loop counters
  bool hasElement = false;
};

/// Makes expressions on which at least the threads of `level` agree.
class ExpressionGenerator {
public:
  ExpressionGenerator(const Kernel &kernel, Random &random) : kernel(kernel), random(random) {}

  /// Accesses to shared memory fit `state`, and are recorded in it.
  Expr value(Type type, Level level, const Scope &scope, State &state, unsigned depth);
  Expr condition(Level level, const Scope &scope, State &state);
  /// Returns `sum` + the element of shared array `id` at `index`, of any type.
  Expr plusShared(Expr sum, uint32_t id, Expr index);
  /// Returns the index of a thread's own element; usually all threads use the
  /// same.
  Expr ownElement(const Scope &scope, State &state);
  /// Returns the body of a device function.
  Expr functionBody(uint32_t parameters, unsigned depth);

private:
  Expr leaf(Type type, Level level, const Scope &scope, State &state);
  Expr comparison(Level level, const Scope &scope, State &state);
  Expr index(uint32_t array, Level level, const Scope &scope, State &state, unsigned depth);
  Expr extent();
  Expr ownSlot(Level level, const Scope &scope, State &state);
  Expr builtin(Level level);
  Expr memory(Type type, Level level, const Scope &scope, State &state, unsigned depth);
  Expr operation(Type type, Level level, const Scope &scope, State &state, unsigned depth);
  bool sharedRead(Expr &out, Type type, Level level, const Scope &scope, State &state,
                  unsigned depth);

  const Kernel &kernel;
  Random &random;
};

Expr make(ExprKind kind, Type type, uint32_t id, std::vector<Expr> operands = {});
/// Returns a unary or binary operation.
Expr apply(Op op, Type type, std::vector<Expr> operands);
Expr literal(uint64_t value, Type type = Type::U32);

} // namespace regrain::fuzz
