//===- Phases.cpp - What joined blocks do before and after counting -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CoarsenBlocks/Phases.h"

#include "compiler/Analysis/Callee.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Returns whether each block may compute `root` wherever it needs it.
bool hasNoEffect(Operation *root) {
  return !root->walk([](Operation *op) {
                return op->getNumRegions() == 0 && hasEffect(op) ? WalkResult::interrupt()
                                                                 : WalkResult::advance();
              })
              .wasInterrupted();
}

bool contains(Operation *root, const llvm::DenseSet<Operation *> &some) {
  return root
      ->walk([&](Operation *op) {
        return some.contains(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

class PhaseFinder {
public:
  PhaseFinder(ArrayRef<Operation *> ops, const Accumulators &accumulators,
              llvm::function_ref<bool(Operation *)> isOwnOfCopy)
      : ops(ops), accumulators(accumulators), isOwnOfCopy(isOwnOfCopy) {}

  std::optional<Phases> run();

private:
  bool findBounds();
  bool takeBefore();
  bool takeDuring();
  bool takeAfter();
  bool needs(Operation *root);

  ArrayRef<Operation *> ops;
  const Accumulators &accumulators;
  llvm::function_ref<bool(Operation *)> isOwnOfCopy;
  size_t begin = 0, end = 0;        ///< of what runs for each block
  llvm::DenseSet<Operation *> own;  ///< what runs for each block
  llvm::DenseSet<Operation *> last; ///< what runs once after that
  Phases phases;
};

/// Finds the barriers around all updates.
bool PhaseFinder::findBounds() {
  bool isUpdating = false;
  for (auto [index, op] : llvm::enumerate(ops)) {
    if (contains(op, accumulators.updates)) {
      isUpdating = true;
      end = 0;
    } else if (isa<grain::BarrierOp>(op)) {
      if (!isUpdating)
        begin = index + 1;
      else if (end == 0)
        end = index;
    }
  }
  return begin != 0 && end != 0;
}

/// What differs between blocks and has no effect is computed by each of them. Arrays of a thread
/// are allocated by the caller.
bool PhaseFinder::takeBefore() {
  for (Operation *op : ops.take_front(begin))
    if (!isOwnOfCopy(op))
      phases.before.push_back(op);
    else if (hasNoEffect(op) || isa<LLVM::AllocaOp>(op))
      phases.during.push_back(op);
    else
      return false;
  return true;
}

/// Blocks that run one after the other must find shared memory as it was left in front of them.
bool PhaseFinder::takeDuring() {
  for (Operation *op : ops.slice(begin, end - begin)) {
    if (contains(op, accumulators.outside))
      return false;
    phases.during.push_back(op);
  }
  return true;
}

/// Adds `root`, and what it uses of the operations that each block runs, if it is pure and the same
/// for all of them.
bool PhaseFinder::needs(Operation *root) {
  if (!last.insert(root).second)
    return true;
  bool areKnown = true;
  root->walk([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      Operation *source = operand.getDefiningOp();
      Operation *outer = source ? root->getBlock()->findAncestorOpInBlock(*source) : nullptr;
      if (outer && outer != root && own.contains(outer))
        areKnown &= hasNoEffect(outer) && !isOwnOfCopy(outer) && needs(outer);
    }
  });
  return areKnown;
}

bool PhaseFinder::takeAfter() {
  own.insert(phases.during.begin(), phases.during.end());
  for (Operation *op : ops.drop_front(end))
    if (isOwnOfCopy(op) ? !hasNoEffect(op) : !needs(op))
      return false;
  llvm::copy_if(ops, std::back_inserter(phases.after),
                [&](Operation *op) { return last.contains(op); });
  return true;
}

std::optional<Phases> PhaseFinder::run() {
  if (findBounds() && takeBefore() && takeDuring() && takeAfter())
    return std::move(phases);
  return std::nullopt;
}

} // namespace

std::optional<Phases> regrain::findPhases(ArrayRef<Operation *> ops,
                                          const Accumulators &accumulators,
                                          llvm::function_ref<bool(Operation *)> isOwnOfCopy) {
  return PhaseFinder(ops, accumulators, isOwnOfCopy).run();
}
