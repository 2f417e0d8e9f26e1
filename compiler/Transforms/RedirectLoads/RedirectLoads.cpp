//===- RedirectLoads.cpp - What excluded neighbours load ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/RedirectLoads/RedirectLoads.h"

#include "compiler/Analysis/AddressSum.h"
#include "compiler/Analysis/SameAddress.h"
#include "compiler/Analysis/Speculation.h"
#include "compiler/Refusal/Refuse.h"
#include "compiler/Transforms/CleanUp/CleanUp.h"
#include "compiler/Transforms/UnrollLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace regrain;

/// The number of operations that loops may become.
constexpr unsigned mostUnrolled = 4096;

namespace {

/// A load of a copy that may not run, and what is known of it.
struct Redirected {
  LLVM::LoadOp load;
  arith::SelectOp address;              ///< its own, or that of another copy
  LLVM::LoadOp same = nullptr;          ///< one of the block that has its own address
  std::optional<int64_t> distance = {}; ///< from the other address to its own, in bytes
};

/// Gives loads simpler addresses.
class Redirection {
public:
  void apply(const Redirected &redirected);

private:
  Value addressOf(const Redirected &redirected);
  Value createShift(Value runs, int64_t distance);

  llvm::DenseMap<std::pair<Value, int64_t>, Value> shifts;
};

} // namespace

/// Returns whether the value is used only as `runs ? value : poison`.
static bool isUnusedUnless(Value runs, Value value) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    auto select = dyn_cast<arith::SelectOp>(user);
    return select && select.getCondition() == runs && select.getTrueValue() == value &&
           select.getFalseValue().getDefiningOp<LLVM::PoisonOp>();
  });
}

static std::optional<Redirected> redirectedBy(LLVM::LoadOp load) {
  auto address = load.getAddr().getDefiningOp<arith::SelectOp>();
  if (!address || load.getVolatile_() || load.use_empty() ||
      !isUnusedUnless(address.getCondition(), load))
    return std::nullopt;
  return Redirected{load, address};
}

static SmallVector<Redirected> redirectedIn(Operation *op) {
  SmallVector<Redirected> found;
  op->walk([&](LLVM::LoadOp load) {
    if (std::optional<Redirected> redirected = redirectedBy(load))
      found.push_back(*redirected);
  });
  return found;
}

static bool unrollAround(grain::KernelOp kernel) {
  SmallVector<Operation *> loops;
  kernel.walk([&](scf::ForOp loop) {
    if (!redirectedIn(loop).empty())
      loops.push_back(loop);
  });
  unsigned budget = mostUnrolled;
  return llvm::count_if(loops, [&](Operation *op) { return unrollLoop(op, budget).has_value(); });
}

/// Returns whether the value can be computed in front of `at`, which is in the block of its use.
static bool canMoveTo(Operation *at, Value value) {
  Operation *op = value.getDefiningOp();
  return !op || op->getBlock() != at->getBlock() || op->isBeforeInBlock(at) ||
         (mayRunAnywhere(op) && op->getNumRegions() == 0 &&
          llvm::all_of(op->getOperands(), [&](Value operand) { return canMoveTo(at, operand); }));
}

/// Computes the value in front of `at`.
static Value computeAt(OpBuilder &builder, Operation *at, Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != at->getBlock() || op->isBeforeInBlock(at))
    return value;
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, computeAt(builder, at, operand));
  unsigned number = cast<OpResult>(value).getResultNumber();
  return builder.clone(*op, mapping)->getResult(number);
}

/// Returns a load of the block, of a copy that does run, at the redirected load's own address.
static LLVM::LoadOp findSame(const Redirected &redirected, SameAddress &addresses) {
  LLVM::LoadOp load = redirected.load;
  arith::SelectOp address = redirected.address;
  for (auto other : load->getBlock()->getOps<LLVM::LoadOp>())
    if (other != load && other.getType() == load.getType() && !other.getVolatile_() &&
        !redirectedBy(other) && canMoveTo(load, other.getAddr()) &&
        addresses.areEqual(address.getTrueValue(), other.getAddr(), load))
      return other;
  return nullptr;
}

/// Returns how many bytes an address lies behind its base, as an affine form.
static std::optional<Affine> offsetOf(AffineForms &forms, const AddressSum &address) {
  std::optional<Affine> offset = Affine{.constant = address.constant, .summands = {}};
  for (const AddressSum::Term &term : address.terms)
    if (offset)
      offset = addTimes(*offset, term.bytes, forms.of(term.index));
  return offset;
}

/// Returns the bytes from one address to the other, if that is one number.
static std::optional<int64_t> bytesBetween(AffineForms &forms, const DataLayout &layout, Value from,
                                           Value to) {
  std::optional<AddressSum> first = addressSumOf(from, layout), second = addressSumOf(to, layout);
  if (!first || !second || first->base != second->base)
    return std::nullopt;
  std::optional<Affine> a = offsetOf(forms, *first), b = offsetOf(forms, *second);
  std::optional<Affine> distance = a && b ? addTimes(*b, -1, *a) : std::nullopt;
  return distance && distance->summands.empty() ? std::optional(distance->constant) : std::nullopt;
}

/// Returns the number of bytes that is added if `runs` holds, as a value beside that condition, so
/// that it is one for all loads.
Value Redirection::createShift(Value runs, int64_t distance) {
  Value &shift = shifts[{runs, distance}];
  if (shift)
    return shift;
  OpBuilder builder(runs.getContext());
  builder.setInsertionPointAfterValue(runs);
  auto number = [&](int64_t value) {
    return builder.create<arith::ConstantOp>(runs.getLoc(), builder.getI64IntegerAttr(value));
  };
  shift = builder.create<arith::SelectOp>(runs.getLoc(), runs, number(distance), number(0));
  return shift;
}

Value Redirection::addressOf(const Redirected &redirected) {
  LLVM::LoadOp load = redirected.load;
  OpBuilder builder(load);
  if (LLVM::LoadOp same = redirected.same) {
    if (same.getAlignment() != load.getAlignment())
      load.setAlignment(std::min(same.getAlignment().value_or(1), load.getAlignment().value_or(1)));
    return computeAt(builder, load, same.getAddr());
  }
  arith::SelectOp address = redirected.address;
  if (!redirected.distance)
    return address;
  Value shift = createShift(address.getCondition(), *redirected.distance);
  return builder.create<LLVM::GEPOp>(load.getLoc(), address.getType(), builder.getI8Type(),
                                     address.getFalseValue(), ArrayRef<LLVM::GEPArg>(shift));
}

void Redirection::apply(const Redirected &redirected) {
  LLVM::LoadOp load = redirected.load;
  load->setOperand(0, addressOf(redirected));
  for (Operation *user : llvm::make_early_inc_range(load->getUsers())) {
    user->getResult(0).replaceAllUsesWith(load);
    user->erase();
  }
}

static std::optional<Refusal> redirect(grain::KernelOp kernel,
                                       const FrozenRewritePatternSet &patterns) {
  if (unrollAround(kernel) && failed(cleanUp(kernel, patterns)))
    return refuse(kernel, RefusalKind::InvalidResult, "the kernel cannot be simplified");
  SmallVector<Redirected> all = redirectedIn(kernel);
  DataLayout layout = DataLayout::closest(kernel);
  AffineForms forms(kernel);
  SameAddress addresses(forms, layout);
  bool isShared = false;
  for (Redirected &redirected : all) {
    arith::SelectOp address = redirected.address;
    redirected.same = findSame(redirected, addresses);
    redirected.distance =
        bytesBetween(forms, layout, address.getFalseValue(), address.getTrueValue());
    isShared |= bool(redirected.same);
  }
  if (!isShared)
    return refuse(kernel, RefusalKind::Contradiction,
                  "guards=joined needs neighbours that load the same elements");
  Redirection redirection;
  for (const Redirected &redirected : all)
    redirection.apply(redirected);
  return std::nullopt;
}

std::optional<Refusal> regrain::redirectLoads(grain::KernelOp kernel,
                                              const FrozenRewritePatternSet &patterns) {
  OwningOpRef<grain::KernelOp> before = kernel.clone();
  std::optional<Refusal> refusal = redirect(kernel, patterns);
  if (refusal)
    kernel.getBody().takeBody(before->getBody());
  return refusal;
}
