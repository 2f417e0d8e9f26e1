//===- Walk.h - Traversal of a fuzzed kernel --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Ast.h"

namespace regrain::fuzz {

/// Calls visit(block) for every list of statements, outer before inner.
/// `Block` is std::vector<Stmt> or const.
template <typename Block, typename Visit> void walkBlocks(Block &block, Visit visit) {
  visit(block);
  for (auto &stmt : block)
    for (auto &inner : stmt.blocks)
      walkBlocks(inner, visit);
}

/// Calls visit(expr) for an expression and all its subexpressions, outer before
/// inner.
template <typename Expression, typename Visit> void walkExpr(Expression &expr, Visit visit) {
  visit(expr);
  for (auto &operand : expr.operands)
    walkExpr(operand, visit);
}

/// Does the same for every expression of a list of statements.
template <typename Block, typename Visit> void walkExprs(Block &block, Visit visit) {
  walkBlocks(block, [&](auto &inner) {
    for (auto &stmt : inner)
      for (auto &expr : stmt.exprs)
        walkExpr(expr, visit);
  });
}

} // namespace regrain::fuzz
