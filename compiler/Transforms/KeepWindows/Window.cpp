//===- Window.cpp - The loads of a step that earlier steps made -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/KeepWindows/Window.h"

#include "compiler/Analysis/Reuse.h"
#include "compiler/Analysis/Speculation.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace regrain;

/// The number of steps for which a value is kept.
constexpr unsigned mostSteps = 8;
/// The number of loads of a block of code that are compared with each other.
constexpr size_t mostLoads = 128;
/// The number of operations that may follow each other from the counter to a value of the next
/// step.
constexpr unsigned mostNested = 12;
/// The number of 32-bit registers of a thread that a window may take.
constexpr uint64_t mostRegisters = 96;

unsigned Window::stepsOf(LLVM::LoadOp load) const {
  unsigned steps = 0;
  for (const Reread &reread : rereads)
    if (reread.source == load)
      steps = std::max(steps, reread.steps);
  return steps;
}

SmallVector<LLVM::LoadOp> Window::sources() const {
  SmallVector<LLVM::LoadOp> loads;
  for (auto load : code->getOps<LLVM::LoadOp>())
    if (stepsOf(load) != 0)
      loads.push_back(load);
  return loads;
}

uint64_t Window::registers() const {
  DataLayout layout = DataLayout::closest(code->getParentOp());
  uint64_t count = 0;
  for (LLVM::LoadOp load : sources())
    count += stepsOf(load) *
             llvm::divideCeil(layout.getTypeSize(load.getType()).getFixedValue(), sizeof(uint32_t));
  return count;
}

/// Returns whether the code runs at most once in a step, as far as conditions let it.
static bool runsOnceIn(scf::ForOp loop, Block &code) {
  Operation *op = code.getParentOp();
  while (isa<scf::IfOp>(op))
    op = op->getParentOp();
  return op == loop;
}

/// Returns whether the value can be computed at the start of `code`.
static bool canMoveUp(Value value, Block &code) {
  Operation *op = value.getDefiningOp();
  return !op || op->getBlock() != &code ||
         (mayRunAnywhere(op) && op->getNumRegions() == 0 &&
          llvm::all_of(op->getOperands(), [&](Value operand) { return canMoveUp(operand, code); }));
}

/// Returns whether the step may write what `access` loads before it loads it.
bool WindowSearch::mayBeWrittenBefore(const Access &access) {
  SmallVector<Access> before;
  bool isBehindBarrier = false;
  for (Operation *op = access.op; op != loop; op = op->getParentOp())
    for (Operation &other : llvm::make_range(op->getBlock()->begin(), op->getIterator())) {
      llvm::append_range(before, accessesIn(&other, accesses).accesses);
      isBehindBarrier |= barriers.isIn(&other);
    }
  return llvm::any_of(before, [&](const Access &writer) {
    return writer.writes &&
           (accesses.mayAlias(access, writer, Who::Same) ||
            (isBehindBarrier && accesses.mayAlias(access, writer, Who::AnyThread)));
  });
}

/// Returns the load that read the same in the latest step, if the access may have its value.
std::optional<Reread> WindowSearch::rereadOf(const Access &access, ArrayRef<Access> loads) {
  auto load = cast<LLVM::LoadOp>(access.op);
  std::optional<Reread> latest;
  for (const Access &source : loads) {
    if (source.op == access.op || source.op->getResult(0).getType() != load.getType())
      continue;
    std::optional<unsigned> steps =
        accesses.iterationsBetween(source, access, loop, latest ? latest->steps - 1 : mostSteps);
    if (steps)
      latest = {load, cast<LLVM::LoadOp>(source.op), *steps};
  }
  if (!latest || !canMoveUp(load.getAddr(), *load->getBlock()))
    return std::nullopt;
  if (mayBeWrittenBefore(access)) {
    written = written ? written : access.op;
    return std::nullopt;
  }
  return latest;
}

Window WindowSearch::windowOf(Block &code) {
  SmallVector<Access> loads;
  for (auto load : code.getOps<LLVM::LoadOp>())
    if (std::optional<Access> access = accesses.of(load); access && isInGlobal(*access))
      loads.push_back(*access);
  Window window = {&code, {}};
  if (loads.size() > mostLoads)
    return window;
  for (const Access &access : loads)
    if (std::optional<Reread> reread = rereadOf(access, loads))
      window.rereads.push_back(*reread);
  return window;
}

Window WindowSearch::find(std::optional<Refusal> &refusal) {
  Operation *ordering = nullptr;
  SmallVector<Block *> blocks;
  loop->walk([&](Operation *op) {
    if (op != loop && !isBarrier(op) && isOpaque(op, accesses.of(op)))
      ordering = ordering ? ordering : op;
    for (Region &region : op->getRegions())
      if (!region.empty() && (op == loop || isa<scf::IfOp>(op)) && runsOnceIn(loop, region.front()))
        blocks.push_back(&region.front());
  });
  Window best;
  if (ordering) {
    refusal = refuse(ordering, RefusalKind::NothingInWindow,
                     "an operation may order what the thread reads with what other threads do");
    return best;
  }
  for (Block *block : blocks)
    if (Window window = windowOf(*block); window.rereads.size() > best.rereads.size())
      best = window;
  if (best.rereads.empty())
    refusal = written ? refuse(written, RefusalKind::NothingInWindow,
                               "what a step reads again may have been written in the same step")
                      : refuse(loop, RefusalKind::NothingInWindow,
                               "no step is known to read what an earlier step has read");
  else if (best.registers() > mostRegisters)
    refusal =
        refuse(best.rereads.front().load, RefusalKind::TooLarge,
               "the window would take " + Twine(best.registers()) + " registers for each thread");
  return best;
}

/// Returns whether the step before can compute the value as it will be: it follows from the counter
/// and from what the loop does not change.
static bool isKnownAhead(scf::ForOp loop, Value value, unsigned depth = 0) {
  if (value == loop.getInductionVar() || !loop->isAncestor(value.getParentBlock()->getParentOp()))
    return true;
  Operation *op = value.getDefiningOp();
  return op && depth < mostNested && op->getNumRegions() == 0 && mayRunAnywhere(op) &&
         llvm::all_of(
             op->getOperands(),
             [&](Value operand) { return isKnownAhead(loop, operand, depth + 1); });
}

SmallVector<LLVM::LoadOp> WindowSearch::findAhead(const Window &window,
                                                  std::optional<Refusal> &refusal) {
  SmallVector<LLVM::LoadOp> ahead;
  for (Operation *op = window.code->getParentOp(); op != loop; op = op->getParentOp())
    if (!isKnownAhead(loop, cast<scf::IfOp>(op).getCondition())) {
      refusal = refuse(op, RefusalKind::NothingInWindow,
                       "a step cannot tell whether the next one will load");
      return ahead;
    }
  for (LLVM::LoadOp load : window.sources()) {
    bool isReread =
        llvm::any_of(window.rereads, [&](const Reread &reread) { return reread.load == load; });
    if (!isReread && isKnownAhead(loop, load.getAddr()) &&
        canMoveUp(load.getAddr(), *load->getBlock()) && !mayBeWrittenBefore(*accesses.of(load)))
      ahead.push_back(load);
  }
  if (ahead.empty())
    refusal = refuse(loop, RefusalKind::NothingInWindow,
                     "a step cannot load what the next one adds to the window");
  return ahead;
}
