//===- Rules.cpp - Conditions of well-defined kernels ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Rules.h"

#include <algorithm>
#include <utility>

namespace regrain::fuzz {

void State::meet() { std::fill(phases.begin(), phases.end(), Phase::Fresh); }

void State::joinWith(const State &other) {
  for (size_t i = 0; i < phases.size(); ++i) {
    phases[i] = join(phases[i], other.phases[i]);
    filled[i] = filled[i] && other.filled[i];
  }
  unset.insert(other.unset.begin(), other.unset.end());
  allAlive = allAlive && other.allAlive;
}

bool hasWholeWarps(const Kernel &kernel) { return kernel.shape.threads() % 32 == 0; }

static Level levelOf(Builtin builtin) {
  switch (builtin) {
  case Builtin::ThreadX:
  case Builtin::ThreadY:
  case Builtin::ThreadZ:
  case Builtin::Tid:
  case Builtin::Gid:
  case Builtin::Lane:
    return Level::Thread;
  case Builtin::WarpId:
    return Level::Warp;
  default:
    return Level::Block;
  }
}

Level levelOf(const Expr &expr, const Kernel &kernel) {
  Level level = Level::Block;
  for (const Expr &operand : expr.operands)
    level = std::max(level, levelOf(operand, kernel));
  switch (expr.kind) {
  case ExprKind::Variable:
    return kernel.variables[expr.id].level;
  case ExprKind::Builtin:
    return levelOf(Builtin(expr.id));
  case ExprKind::Own:
  case ExprKind::Element:
  case ExprKind::LocalElement:
  case ExprKind::SharedOwn:
    return Level::Thread;
  default:
    return level;
  }
}

namespace {

/// Walks a kernel as its threads do and keeps the first fault.
class Checker {
public:
  explicit Checker(const Kernel &kernel)
      : kernel(kernel), declared(kernel.variables.size(), false) {}

  std::string run() {
    State state;
    state.phases.assign(kernel.shared.size(), Phase::Fresh);
    state.filled.assign(kernel.shared.size(), false);
    walk(kernel.body, state, kernel.guard == Guard::Branch ? Level::Thread : Level::Block);
    return fault;
  }

private:
  struct Loop {
    Level level;
    std::optional<State> left; ///< the state in which breaks leave the loop
    std::optional<State> next; ///< the state in which continues reach the next iteration
  };

  void fail(const char *what) {
    if (fault.empty())
      fault = what;
  }
  void require(bool holds, const char *what) {
    if (!holds)
      fail(what);
  }
  void touch(uint32_t array, Access access, State &state) {
    require(state.filled[array], "a shared array is used before it is filled");
    std::optional<Phase> after = advance(state.phases[array], access);
    require(after.has_value(), "a shared array is used in two ways in one phase");
    if (after)
      state.phases[array] = *after;
  }

  void visit(const Expr &expr, State &state) {
    for (const Expr &operand : expr.operands)
      visit(operand, state);
    if (expr.kind == ExprKind::Variable) {
      require(declared[expr.id], "a variable is used outside of its scope");
      require(!state.unset.contains(expr.id), "a variable is used that has no value yet");
    }
    if (expr.kind == ExprKind::Element)
      require(inGridStride, "an element is used outside of a grid-stride loop");
    if (expr.kind == ExprKind::SharedOwn)
      touch(expr.id, Access::OwnRead, state);
    if (expr.kind == ExprKind::SharedAny)
      touch(expr.id, Access::AnyRead, state);
  }

  void define(uint32_t variable, Level given, Level path) {
    declared[variable] = true;
    require(std::max(given, path) <= kernel.variables[variable].level,
            "threads would differ on a common variable");
  }

  void walk(const std::vector<Stmt> &block, State &state, Level path) {
    std::vector<bool> outer = declared;
    for (const Stmt &stmt : block)
      if (fault.empty())
        walk(stmt, state, path);
    declared = std::move(outer);
  }

  void walk(const Stmt &stmt, State &state, Level path);
  void walkVariable(const Stmt &stmt, State &state, Level path);
  void walkMemory(const Stmt &stmt, State &state, Level path);
  void walkMeeting(const Stmt &stmt, State &state, Level path);
  void walkIf(const Stmt &stmt, State &state, Level path);
  void walkSwitch(const Stmt &stmt, State &state, Level path);
  void walkLoop(const Stmt &stmt, State &state, Level path);
  void walkJump(const Stmt &stmt, State &state, Level path);

  const Kernel &kernel;
  std::vector<bool> declared;
  std::vector<Loop> loops;
  bool inGridStride = false;
  bool inSwitch = false; ///< nearer than the enclosing loop
  std::string fault;
};

void Checker::walkVariable(const Stmt &stmt, State &state, Level path) {
  if (stmt.exprs.empty())
    state.unset.insert(stmt.id);
  else
    state.unset.erase(stmt.id);
  bool isIndex = kernel.variables[stmt.id].indexOf.has_value();
  require(isIndex == (stmt.kind == StmtKind::DeclareIndex), "an index may be past its array");
  Level given = Level::Block;
  for (const Expr &expr : stmt.exprs)
    given = std::max(given, levelOf(expr, kernel));
  if (stmt.kind != StmtKind::Assign)
    return define(stmt.id, given, kernel.variables[stmt.id].level);
  require(declared[stmt.id], "a variable is assigned outside of its scope");
  define(stmt.id, given, path);
}

void Checker::walkMemory(const Stmt &stmt, State &state, Level path) {
  switch (stmt.kind) {
  case StmtKind::FillShared:
    require(path == Level::Block && state.allAlive,
            "an array is filled where threads may be missing");
    state.filled[stmt.id] = true;
    return touch(stmt.id, Access::OwnWrite, state);
  case StmtKind::StoreShared:
    return touch(stmt.id, Access::OwnWrite, state);
  case StmtKind::LeaderStore:
    return touch(stmt.id, Access::LeaderWrite, state);
  case StmtKind::AtomicShared:
    return touch(stmt.id, Access::Atomic, state);
  case StmtKind::AtomicOwn:
    return define(stmt.aux, Level::Thread, path);
  case StmtKind::StoreElement:
    return require(inGridStride, "an element is stored outside of a grid-stride loop");
  default:
    return;
  }
}

void Checker::walkMeeting(const Stmt &stmt, State &state, Level path) {
  switch (stmt.kind) {
  case StmtKind::BarrierVote:
    define(stmt.id, Level::Block, path);
    [[fallthrough]];
  case StmtKind::Barrier:
    require(path == Level::Block, "threads of a block miss a barrier");
    return state.meet();
  case StmtKind::TreeReduce:
    require(path == Level::Block, "threads of a block miss a barrier");
    require(state.filled[stmt.id], "a shared array is used before it is filled");
    // Each step writes the lower half and reads the upper one, between
    // barriers.
    return state.meet();
  case StmtKind::ElementExchange:
    require(path == Level::Block && state.allAlive && kernel.guard == Guard::None,
            "threads of a block miss an exchange");
    define(stmt.id, Level::Thread, path);
    return state.meet();
  case StmtKind::RecordExchange:
    require(path == Level::Block && state.allAlive, "threads of a block miss a record");
    require(kernel.record.has_value(), "the records have no type");
    define(stmt.id, Level::Thread, path);
    return state.meet();
  case StmtKind::WarpExchange:
  case StmtKind::WarpVote:
    define(stmt.id, stmt.kind == StmtKind::WarpVote ? Level::Warp : Level::Thread, path);
    [[fallthrough]];
  default:
    require(path <= Level::Warp && state.allAlive && kernel.guard == Guard::None &&
                hasWholeWarps(kernel),
            "lanes of a warp miss an operation");
  }
}

void Checker::walkIf(const Stmt &stmt, State &state, Level path) {
  Level inside = std::max(path, stmt.level);
  if (inside != Level::Block) {
    // Different threads execute the two branches in the same phase.
    std::set<uint32_t> unset = state.unset;
    walk(stmt.blocks[0], state, inside);
    std::swap(unset, state.unset);
    walk(stmt.blocks[1], state, inside);
    return state.unset.merge(unset);
  }
  State other = state;
  walk(stmt.blocks[0], state, inside);
  walk(stmt.blocks[1], other, inside);
  state.joinWith(other);
}

void Checker::walkSwitch(const Stmt &stmt, State &state, Level path) {
  Level inside = std::max(path, stmt.level);
  bool outer = std::exchange(inSwitch, true);
  State entry = state, exit = state;
  for (size_t i = 0; i < stmt.blocks.size(); ++i) {
    bool fellThrough = i > 0 && (stmt.aux >> (i - 1) & 1);
    if (inside == Level::Block) {
      State at = entry;
      if (fellThrough)
        at.joinWith(state);
      state = at;
    }
    state.unset = exit.unset;
    walk(stmt.blocks[i], state, inside);
    exit.joinWith(state);
  }
  if (inside == Level::Block)
    state = exit;
  state.unset = exit.unset;
  inSwitch = outer;
}

void Checker::walkLoop(const Stmt &stmt, State &state, Level path) {
  Level inside = std::max(path, stmt.level);
  std::vector<bool> outer = declared;
  bool outerStride = inGridStride, outerSwitch = std::exchange(inSwitch, false);
  define(stmt.id, stmt.level, path);
  inGridStride |= stmt.kind == StmtKind::GridStride;
  // Iterates around the loop until nothing changes: states only lose facts.
  for (bool stable = false; !stable && fault.empty();) {
    loops.push_back({inside, {}, {}});
    State end = state;
    for (const Expr &expr : stmt.exprs)
      visit(expr, end);
    State left = end;
    walk(stmt.blocks[0], end, inside);
    Loop loop = std::move(loops.back());
    loops.pop_back();
    if (loop.next)
      end.joinWith(*loop.next);
    State head = state;
    head.joinWith(end);
    stable = head == state;
    state = head;
    if (stable) {
      bool mayRunNever = !stmt.exprs.empty() || stmt.kind != StmtKind::For;
      if (mayRunNever)
        left.joinWith(end);
      else
        left = end;
      if (loop.left)
        left.joinWith(*loop.left);
      state = left;
    }
  }
  inGridStride = outerStride;
  inSwitch = outerSwitch;
  declared = std::move(outer);
}

void Checker::walkJump(const Stmt &stmt, State &state, Level path) {
  if (stmt.kind == StmtKind::Return) {
    state.allAlive = false;
    return;
  }
  if (loops.empty())
    return fail("a jump without a loop");
  require(stmt.kind != StmtKind::Break || !inSwitch, "a break would leave a switch");
  Loop &loop = loops.back();
  require(std::max(path, stmt.level) <= loop.level, "threads of a loop part in it");
  std::optional<State> &target = stmt.kind == StmtKind::Break ? loop.left : loop.next;
  if (target)
    target->joinWith(state);
  else
    target = state;
}

void Checker::walk(const Stmt &stmt, State &state, Level path) {
  bool isLoop = stmt.kind == StmtKind::For || stmt.kind == StmtKind::While ||
                stmt.kind == StmtKind::GridStride;
  for (const Expr &expr : stmt.exprs) {
    if (!isLoop)
      visit(expr, state);
    bool decides = isLoop || stmt.kind == StmtKind::If || stmt.kind == StmtKind::Switch ||
                   stmt.kind == StmtKind::Break || stmt.kind == StmtKind::Continue;
    require(!decides || levelOf(expr, kernel) <= stmt.level, "a branch parts more threads");
  }
  if (!fault.empty())
    return;
  switch (stmt.kind) {
  case StmtKind::Declare:
  case StmtKind::DeclareIndex:
  case StmtKind::Assign:
    return walkVariable(stmt, state, path);
  case StmtKind::If:
    return walkIf(stmt, state, path);
  case StmtKind::Switch:
    return walkSwitch(stmt, state, path);
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::GridStride:
    return walkLoop(stmt, state, path);
  case StmtKind::Break:
  case StmtKind::Continue:
  case StmtKind::Return:
    return walkJump(stmt, state, path);
  case StmtKind::Barrier:
  case StmtKind::BarrierVote:
  case StmtKind::TreeReduce:
  case StmtKind::RecordExchange:
  case StmtKind::ElementExchange:
  case StmtKind::WarpSync:
  case StmtKind::WarpExchange:
  case StmtKind::WarpVote:
    return walkMeeting(stmt, state, path);
  default:
    return walkMemory(stmt, state, path);
  }
}

} // namespace

std::string findFault(const Kernel &kernel) { return Checker(kernel).run(); }

} // namespace regrain::fuzz
