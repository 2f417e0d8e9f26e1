//===- Reducer.cpp - The smallest kernel that still fails -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Reducer.h"

#include "fuzz/Rules.h"
#include "fuzz/Walk.h"
#include <algorithm>

namespace regrain::fuzz {

namespace {

using Block = std::vector<Stmt>;

class Steps {
public:
  explicit Steps(const Kernel &kernel) : kernel(kernel) {}

  std::vector<Kernel> all() {
    dropStatements();
    unwrapStatements();
    shrinkLaunch();
    dropFeatures();
    simplifyExpressions();
    return std::move(forms);
  }

private:
  /// Keeps a changed copy if it is still well defined.
  template <typename Change> void propose(Change change) {
    Kernel form = kernel;
    change(form);
    if (findFault(form).empty())
      forms.push_back(std::move(form));
  }
  /// Returns the block at `index` of a walk.
  static Block &blockAt(Kernel &form, size_t index) {
    Block *found = nullptr;
    walkBlocks(form.body, [&](Block &block) {
      if (index-- == 0)
        found = &block;
    });
    return *found;
  }
  static Expr &exprAt(Kernel &form, size_t index) {
    Expr *found = nullptr;
    walkExprs(form.body, [&](Expr &expr) {
      if (index-- == 0)
        found = &expr;
    });
    return *found;
  }

  void dropStatements() {
    std::vector<size_t> sizes;
    walkBlocks(kernel.body, [&](const Block &block) { sizes.push_back(block.size()); });
    for (size_t b = 0; b < sizes.size(); ++b)
      for (size_t chunk = sizes[b]; chunk > 0; chunk /= 2)
        for (size_t at = 0; at < sizes[b]; at += chunk)
          propose([&](Kernel &form) {
            Block &block = blockAt(form, b);
            block.erase(block.begin() + at, block.begin() + std::min(at + chunk, block.size()));
          });
  }

  void unwrapStatements() {
    std::vector<std::array<size_t, 3>> sites;
    size_t b = 0;
    walkBlocks(kernel.body, [&](const Block &block) {
      for (size_t s = 0; s < block.size(); ++s)
        for (size_t inner = 0; inner < block[s].blocks.size(); ++inner)
          sites.push_back({b, s, inner});
      ++b;
    });
    for (auto [where, stmt, inner] : sites)
      propose([&](Kernel &form) {
        Block &block = blockAt(form, where);
        Block content = std::move(block[stmt].blocks[inner]);
        block.erase(block.begin() + stmt);
        block.insert(block.begin() + stmt, content.begin(), content.end());
      });
  }

  void shrinkLaunch() {
    for (unsigned d = 0; d < 3; ++d) {
      for (uint32_t extent : {1u, kernel.shape.grid[d] / 2, kernel.shape.grid[d] - 1})
        if (extent > 0 && extent < kernel.shape.grid[d])
          propose([&](Kernel &form) { form.shape.grid[d] = extent; });
      for (uint32_t extent : {1u, 2u, kernel.shape.block[d] / 4, kernel.shape.block[d] / 2})
        if (extent > 0 && extent < kernel.shape.block[d])
          propose([&](Kernel &form) { form.shape.block[d] = extent; });
    }
    for (uint32_t size : {1u, kernel.size / 2})
      if (size > 0 && size < kernel.size)
        propose([&](Kernel &form) { form.size = size; });
  }

  void dropFeatures() {
    auto clear = [&](auto feature) {
      static const Kernel plain;
      if (kernel.*feature != plain.*feature)
        propose([&](Kernel &form) { form.*feature = plain.*feature; });
    };
    clear(&Kernel::guard);
    clear(&Kernel::hasLaunchBounds);
    clear(&Kernel::hasRestrict);
    clear(&Kernel::passing);
    if (!kernel.literalThreads)
      propose([&](Kernel &form) { form.literalThreads = true; });
    for (size_t i = 0; i < kernel.shared.size(); ++i) {
      SharedArray plain;
      plain.type = kernel.shared[i].type;
      plain.operation = kernel.shared[i].operation;
      const SharedArray &now = kernel.shared[i];
      if (now.storage != plain.storage || now.perThread != 1 || now.isVolatile)
        propose([&](Kernel &form) { form.shared[i] = plain; });
    }
  }

  void simplifyExpressions() {
    std::vector<const Expr *> exprs;
    walkExprs(kernel.body, [&](const Expr &expr) { exprs.push_back(&expr); });
    for (size_t i = 0; i < exprs.size(); ++i) {
      const Expr &expr = *exprs[i];
      if (expr.kind == ExprKind::Literal && expr.value <= 1)
        continue;
      for (uint64_t value : {0, 1}) {
        Expr simple;
        simple.type = expr.type;
        simple.value = value;
        propose([&](Kernel &form) { exprAt(form, i) = simple; });
      }
      for (const Expr &operand : expr.operands)
        if (operand.type == expr.type)
          propose([&](Kernel &form) { exprAt(form, i) = operand; });
    }
  }

  const Kernel &kernel;
  std::vector<Kernel> forms;
};

} // namespace

std::vector<Kernel> smallerForms(const Kernel &kernel) { return Steps(kernel).all(); }

} // namespace regrain::fuzz
