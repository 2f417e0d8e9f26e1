//===- TestAnalysisPasses.cpp - Analyses made visible to tests ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/lib/Analysis/TestAnalysisPasses.h"

#include "compiler/Analysis/Access.h"
#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/Interaction.h"
#include "compiler/Analysis/ThreadSummary.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace regrain;

namespace {

constexpr StringLiteral dimensionNames[] = {"x", "y", "z"};

/// Returns "tx", "arg1", "iv" or "arith.muli", which do not depend on the numbering.
std::string nameOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return value.getDefiningOp()->getName().getStringRef().str();
  Operation *owner = argument.getOwner()->getParentOp();
  std::string number = std::to_string(argument.getArgNumber());
  if (isa<grain::ThreadsOp>(owner))
    return ("t" + dimensionNames[argument.getArgNumber()]).str();
  if (isa<grain::BlocksOp>(owner))
    return ("b" + dimensionNames[argument.getArgNumber()]).str();
  if (isa<grain::KernelOp>(owner))
    return "arg" + number;
  if (isa<scf::ForOp>(owner) && argument.getArgNumber() == 0)
    return "iv";
  return owner->getName().getStringRef().str() + "#" + number;
}

std::string toString(const Affine &form) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const Affine::Summand &summand : form.summands)
    stream << summand.factor << "*" << nameOf(summand.variable.value) << " + ";
  stream << form.constant;
  return text;
}

struct TestAccess : PassWrapper<TestAccess, OperationPass<grain::KernelOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestAccess)
  StringRef getArgument() const override { return "test-access"; }
  StringRef getDescription() const override { return "Tells what Access knows"; }

  static std::string describe(const Access &access, Accesses &accesses) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << (access.base ? nameOf(access.base) : "unknown") << " + ["
           << (access.offset ? toString(*access.offset) : "unknown") << "]";
    if (access.size)
      stream << " size " << *access.size;
    if (access.addressSpace != 0)
      stream << " space " << access.addressSpace;
    if (access.isOrdered)
      stream << " ordered";
    if (accesses.isSameForAllThreads(access))
      stream << " uniform";
    if (std::optional<int64_t> stride = accesses.stridePerLane(access))
      stream << " stride " << *stride;
    if (accesses.isInBounds(access))
      stream << " in-bounds";
    auto loop = access.op->getParentOfType<scf::ForOp>();
    if (loop && accesses.isInvariantIn(access, loop))
      stream << " invariant";
    return text;
  }

  void runOnOperation() override {
    Accesses accesses(getOperation());
    SmallVector<Access> all;
    getOperation().walk([&](Operation *op) {
      if (std::optional<Access> access = accesses.of(op))
        all.push_back(*access);
    });
    for (auto [number, access] : llvm::enumerate(all)) {
      std::string text;
      llvm::raw_string_ostream stream(text);
      stream << "#" << number << ": " << describe(access, accesses);
      for (unsigned other = 0; other <= number; ++other)
        describePair(stream, accesses, all[other], access, other);
      access.op->emitRemark(text + ".");
    }
  }

  /// Appends ", #0 same thread block iteration": the threads that may access what #0 accesses.
  static void describePair(raw_ostream &stream, Accesses &accesses, const Access &first,
                           const Access &second, unsigned number) {
    std::string who;
    if (accesses.mustAlias(first, second))
      who += " must";
    else if (accesses.mayAlias(first, second))
      who += " same";
    Operation *loop = second.op->getParentOfType<scf::ForOp>();
    if (loop && loop->isAncestor(first.op) && accesses.mayAlias(first, second, Who::Same, loop))
      who += " iteration";
    if (accesses.mayAlias(first, second, Who::OtherThread))
      who += " thread";
    if (accesses.mayAlias(first, second, Who::OtherBlock))
      who += " block";
    if (!who.empty())
      stream << ", #" << number << who;
  }
};

struct TestUniformity : PassWrapper<TestUniformity, OperationPass<grain::KernelOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestUniformity)
  StringRef getArgument() const override { return "test-uniformity"; }
  StringRef getDescription() const override { return "Tells what values depend on"; }

  static std::string toString(Dependence dependence) {
    constexpr StringLiteral names[] = {"bx", "by", "bz",           "tx",
                                       "ty", "tz", "block-memory", "thread-memory"};
    std::string text;
    for (auto [bit, name] : llvm::enumerate(names))
      if (overlap(dependence, Dependence(1u << bit)))
        text += (text.empty() ? "" : " ") + name.str();
    return "[" + text + "]";
  }

  void runOnOperation() override {
    Uniformity uniformity(getOperation());
    getOperation().walk([&](Operation *op) {
      if (op->getNumResults() != 0 && !op->hasTrait<OpTrait::ConstantLike>())
        op->emitRemark("value " + toString(uniformity.of(op->getResult(0))));
      if (op->getNumRegions() != 0 && !isa<grain::KernelOp, grain::BlocksOp, grain::ThreadsOp>(op))
        op->emitRemark("control " + toString(uniformity.ofControl(op)));
    });
  }
};

struct TestSynchronisation : PassWrapper<TestSynchronisation, OperationPass<grain::KernelOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestSynchronisation)
  StringRef getArgument() const override { return "test-synchronisation"; }
  StringRef getDescription() const override {
    return "Tells which operations synchronise, hold barriers or meet other threads";
  }

  /// Returns "warp, tells apart, sees, publishes, of a block", as far as it is true.
  static std::string describe(const Interaction &interaction) {
    SmallVector<StringRef> words;
    if (interaction.convergence != Convergence::None)
      words.push_back(interaction.convergence == Convergence::Warp ? "warp"
                                                                   : "unknown convergence");
    for (auto [holds, word] :
         {std::pair(interaction.tellsApart, "tells apart"),
          std::pair(interaction.seesOthers, "sees"), std::pair(interaction.publishes, "publishes"),
          std::pair(interaction.isOfBlock, "of a block")})
      if (holds)
        words.push_back(word);
    return llvm::join(words, ", ");
  }

  void runOnOperation() override {
    Barriers barriers(getOperation());
    getOperation().getBody().walk([&](Operation *op) {
      if (barriers.isIn(op) && !isa<grain::BlocksOp, grain::ThreadsOp>(op))
        op->emitRemark(isBarrier(op) ? "barrier" : "holds a barrier");
      if (std::string text = describe(interactionOf(op)); !text.empty())
        op->emitRemark(text);
    });
    ThreadSummary summary(getOperation());
    if (Operation *telling = summary.findTellingApart())
      telling->emitRemark("the first to tell threads apart");
  }
};

struct TestWaiting : PassWrapper<TestWaiting, OperationPass<grain::KernelOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestWaiting)
  StringRef getArgument() const override { return "test-waiting"; }
  StringRef getDescription() const override { return "Tells which loops wait"; }

  void runOnOperation() override {
    ThreadSummary summary(getOperation());
    if (Operation *loop = summary.findWaitForOutside())
      loop->emitRemark("waits");
    else if (Operation *loop = summary.findWait())
      loop->emitRemark("waits for the launch itself");
    else
      getOperation().emitRemark("does not wait");
  }
};

} // namespace

void regrain::test::registerAnalysisPasses() {
  PassRegistration<TestAccess>();
  PassRegistration<TestUniformity>();
  PassRegistration<TestSynchronisation>();
  PassRegistration<TestWaiting>();
}
