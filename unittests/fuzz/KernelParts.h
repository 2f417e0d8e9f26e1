//===- KernelParts.h - Hand-written kernels of the fuzzer -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Ast.h"

namespace regrain::fuzz {

inline Expr makeExpr(ExprKind kind, uint32_t id = 0, std::vector<Expr> operands = {}) {
  Expr expr;
  expr.kind = kind;
  expr.id = id;
  expr.operands = std::move(operands);
  return expr;
}

inline Expr zero() { return makeExpr(ExprKind::Literal); }
inline Expr tid() { return makeExpr(ExprKind::Builtin, uint32_t(Builtin::Tid)); }

inline Stmt makeStmt(StmtKind kind, uint32_t id = 0, std::vector<Expr> exprs = {}) {
  Stmt stmt;
  stmt.kind = kind;
  stmt.id = id;
  stmt.exprs = std::move(exprs);
  return stmt;
}

inline Stmt barrier() { return makeStmt(StmtKind::Barrier); }
inline Stmt fill() { return makeStmt(StmtKind::FillShared, 0, {zero()}); }
/// A result slot takes any value that any thread may have written.
inline Stmt readAny() {
  return makeStmt(StmtKind::StoreOwn, 0, {makeExpr(ExprKind::SharedAny, 0, {tid()})});
}
inline Stmt writeOwn() { return makeStmt(StmtKind::StoreShared, 0, {zero()}); }

/// With two blocks this is an If; with one, a loop with a variable as its
/// counter.
inline Stmt nest(StmtKind kind, Level level, Expr decides, std::vector<Stmt> body,
                 uint32_t counter = 0) {
  Stmt stmt = makeStmt(kind, counter, {std::move(decides)});
  stmt.level = level;
  stmt.limit = 3;
  stmt.blocks = {std::move(body)};
  if (kind == StmtKind::If)
    stmt.blocks.emplace_back();
  return stmt;
}

/// The kernel has one dimension, whole warps, one shared array, and one
/// variable of each level.
inline Kernel kernelOf(std::vector<Stmt> body) {
  Kernel kernel;
  kernel.shape = {{4, 1, 1}, {64, 1, 1}};
  kernel.size = 256;
  kernel.shared.emplace_back();
  kernel.variables = {{Type::U32, Level::Block}, {Type::U32, Level::Warp}, {}};
  kernel.body = std::move(body);
  return kernel;
}

} // namespace regrain::fuzz
