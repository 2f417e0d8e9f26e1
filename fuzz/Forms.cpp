//===- Forms.cpp - Rare forms in a random kernel --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Forms.h"

#include "fuzz/Walk.h"
#include "runtime/image/launch_limits.h"
#include <map>

namespace regrain::fuzz {

namespace {

bool isLoop(const Stmt &stmt) {
  return stmt.kind == StmtKind::For || stmt.kind == StmtKind::While ||
         stmt.kind == StmtKind::GridStride;
}

bool isMeeting(const Stmt &stmt) {
  return stmt.kind == StmtKind::Barrier || stmt.kind == StmtKind::BarrierVote ||
         stmt.kind == StmtKind::TreeReduce;
}

/// Walks a kernel once, in the order of the source.
class Finder {
public:
  explicit Finder(const Kernel &kernel) : kernel(kernel) {}

  std::set<std::string> run() {
    walk(kernel.body, Level::Block);
    return std::move(forms);
  }

private:
  /// The last assignment to a flag in code that not all threads of a block
  /// execute.
  struct Written {
    const Stmt *loop = nullptr; ///< the innermost enclosing loop
    bool isBehindBarrier = false;
  };

  void walk(const std::vector<Stmt> &block, Level path) {
    for (const Stmt &stmt : block)
      walk(stmt, path);
  }

  void walk(const Stmt &stmt, Level path) {
    noteStatement(stmt);
    for (const Expr &expr : stmt.exprs)
      walkExpr(expr, [&](const Expr &part) {
        noteExpression(part);
        if (stmt.kind == StmtKind::If)
          ask(part);
      });
    if (stmt.kind == StmtKind::Assign && kernel.variables[stmt.id].isFlag && path == Level::Thread)
      written[stmt.id] = {loop, false};
    if (isMeeting(stmt)) {
      meets = loop != nullptr;
      if (kernel.hasLaunchBounds && kernel.shape.threads() <= warpThreads)
        forms.insert("a block is bounded to one warp that meets");
      for (auto &[flag, how] : written)
        how.isBehindBarrier = true;
    }
    const Stmt *outer = loop;
    bool outerMeets = meets;
    if (isLoop(stmt))
      loop = &stmt, meets = false;
    for (const std::vector<Stmt> &inner : stmt.blocks)
      walk(inner, std::max(path, stmt.level));
    loop = outer;
    if (isLoop(stmt))
      meets = outerMeets;
  }

  void noteStatement(const Stmt &stmt) {
    if (stmt.kind == StmtKind::DeclareIndex)
      forms.insert("an index is clamped to limits of the block");
    if (stmt.kind == StmtKind::Declare && stmt.exprs.empty())
      forms.insert("a flag gets its first value in a loop");
    if (stmt.kind == StmtKind::Break && meets)
      forms.insert("a loop is left between barriers");
    if (stmt.kind == StmtKind::WarpExchange && stmt.aux >= firstGroupExchange)
      forms.insert(stmt.aux == matrixExchange ? "a warp multiplies matrices"
                                              : "lanes of a cooperative group exchange values");
    if (stmt.kind == StmtKind::RecordExchange)
      forms.insert("threads exchange records");
    if (stmt.kind == StmtKind::ElementExchange)
      forms.insert("threads exchange elements of an array");
    if (stmt.kind == StmtKind::AtomicVector)
      forms.insert("vectors are added atomically");
  }

  void noteExpression(const Expr &part) {
    if (part.op == Op::Quotients)
      forms.insert("numbers are divided by one number");
    if (part.op >= Op::HalfSum && part.op != Op::RealSpread)
      forms.insert("numbers have 16 bits");
    if (part.op >= Op::RealSpread)
      forms.insert("a product is in another block than its sum");
    if (part.kind == ExprKind::Constant && part.id != 0)
      forms.insert("a managed variable is read");
  }

  void ask(const Expr &expr) {
    auto found = expr.kind == ExprKind::Variable ? written.find(expr.id) : written.end();
    if (found == written.end() || !found->second.isBehindBarrier)
      return;
    forms.insert("a flag lives across a barrier");
    if (loop && found->second.loop == loop)
      forms.insert("a flag lives across a barrier of its loop");
    if (found->second.loop && found->second.loop != loop)
      forms.insert("a flag lives on behind a loop with barriers");
  }

  const Kernel &kernel;
  std::map<uint32_t, Written> written;
  const Stmt *loop = nullptr;
  bool meets = false; ///< the loop has passed a barrier
  std::set<std::string> forms;
};

} // namespace

std::set<std::string> formsOf(const Kernel &kernel) { return Finder(kernel).run(); }

} // namespace regrain::fuzz
