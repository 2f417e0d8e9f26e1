//===- LoopFacts.cpp - What may be done otherwise with loops --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/Statistics.h"

#include "compiler/Analysis/Access.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace regrain;

namespace {

/// The operations of an unrolled loop, as far as the limits of the code generator can be compared
/// with operations of grain IR (compiler/Target/NVPTX/Loops/Unrolling.h): below the first number a
/// loop is unrolled in any case, above the second in none.
constexpr double surelyUnrolled = 400, neverUnrolled = 3000;
/// The most operations of code that runs without its guard (Predication.h there).
constexpr unsigned mostGuarded = 12;

bool isCounted(Operation &op) {
  return !op.hasTrait<OpTrait::ConstantLike>() && !op.hasTrait<OpTrait::IsTerminator>() &&
         !isa<LLVM::GEPOp>(op);
}

class Loops {
public:
  explicit Loops(grain::KernelOp kernel) : kernel(kernel), accesses(kernel) {}

  LoopFacts run() {
    kernel.walk([&](Operation *op) {
      if (isa<grain::GrainDialect>(op->getDialect()))
        return;
      if (isa<LoopLikeOpInterface>(op))
        look(*op);
      else if (auto branch = dyn_cast<scf::IfOp>(op); branch && isInLoop(*op))
        facts.hasGuards |= isShort(branch);
    });
    return facts;
  }

private:
  void look(Operation &loop) {
    double size = 0;
    bool isInnermost = true;
    loop.walk([&](Operation *op) {
      size += op != &loop && isCounted(*op);
      isInnermost &= op == &loop || !isa<LoopLikeOpInterface>(op);
    });
    if (!isInnermost)
      return;
    facts.hasSearch |= isSearch(loop);
    std::optional<double> trips = tripsOf(loop);
    double all = trips ? *trips * size : neverUnrolled;
    facts.hasShort |= all > surelyUnrolled && all < neverUnrolled;
    facts.hasOther |= all >= neverUnrolled;
  }

  /// Returns whether the loop may look for an element: its end is not only counted, and it does
  /// nothing but load and compute.
  static bool isSearch(Operation &loop) {
    if (!isa<scf::WhileOp>(loop))
      return false;
    bool loads = false;
    WalkResult result = loop.walk([&](Operation *op) {
      auto load = dyn_cast<LLVM::LoadOp>(op);
      loads |= bool(load);
      bool isKnown =
          load ? !load.getVolatile_() && load.getOrdering() == LLVM::AtomicOrdering::not_atomic
               : op->getNumRegions() || isMemoryEffectFree(op) || isa<grain::LoopHintOp>(op);
      return isKnown ? WalkResult::advance() : WalkResult::interrupt();
    });
    return loads && !result.wasInterrupted();
  }

  static bool isInLoop(Operation &op) {
    auto loop = op.getParentOfType<LoopLikeOpInterface>();
    return loop && !isa<grain::GrainDialect>(loop->getDialect());
  }

  bool isShort(scf::IfOp branch) {
    unsigned size = 0;
    for (Region *region : branch.getRegions())
      for (Operation &op : region->getOps()) {
        if (op.getNumRegions() || !(isMemoryEffectFree(&op) || isFromArray(op)))
          return false;
        size += isCounted(op);
      }
    return branch.getNumResults() && size && size <= mostGuarded;
  }

  /// Returns whether the operation loads from an array, of which the size is known.
  bool isFromArray(Operation &op) {
    auto load = dyn_cast<LLVM::LoadOp>(op);
    std::optional<Access> access = load ? accesses.of(&op) : std::nullopt;
    if (!access || load.getVolatile_())
      return false;
    switch (access->kind) {
    case Base::Stack:
    case Base::ByValue:
    case Base::Shared:
    case Base::Variable:
      return true;
    case Base::DynamicShared:
    case Base::Parameter:
    case Base::Unknown:
      return false;
    }
    return false;
  }

  grain::KernelOp kernel;
  Accesses accesses;
  LoopFacts facts;
};

} // namespace

std::optional<double> regrain::tripsOf(Operation &op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return std::nullopt;
  std::optional<int64_t> first = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> last = getConstantIntValue(loop.getUpperBound());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!first || !last || !step || *step <= 0)
    return std::nullopt;
  return *last > *first ? double(llvm::divideCeil(uint64_t(*last - *first), uint64_t(*step))) : 0;
}

LoopFacts regrain::loopFactsOf(grain::KernelOp kernel) { return Loops(kernel).run(); }
