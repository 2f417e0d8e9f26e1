//===- JointDivisions.cpp - Quotients and roots behind one check ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Arithmetic/JointDivisions.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "compiler/Target/NVPTX/Arithmetic/RoundedGroups.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Builds the fast way of quotients and roots, the instructions that ptxas takes for operands that
/// are far from the ends of the range. All of them round correctly.
class FastWay {
public:
  explicit FastWay(const RoundedGroup &group) : group(group) {}

  /// Returns the member's result, computed in front of it, and adds what its operands must fulfil.
  Value *build(Instruction &member) {
    IRBuilder<> builder(&member);
    if (Value *radicand = radicandOf(member))
      return root(builder, *radicand);
    Value *quotient = divide(builder, member);
    if (group.ends.contains(&member))
      magnitudes = magnitudes ? builder.CreateFAdd(magnitudes, magnitude(builder, *quotient))
                              : magnitude(builder, *quotient);
    return quotient;
  }

  /// Returns whether all operands are in the range.
  Value *condition(IRBuilder<> &builder) {
    if (magnitudes) // an infinity or a number that is none stays in their sum
      require(builder,
              builder.CreateFCmpOLT(magnitudes, ConstantFP::getInfinity(builder.getFloatTy())));
    return holds;
  }

private:
  struct Divisor {
    Value *reciprocal, *negated;
    Value *zeros; ///< what makes of zero as a dividend the greatest number, or does not
  };

  static Value *call(IRBuilder<> &builder, Intrinsic::ID which, ArrayRef<Value *> operands) {
    bool isOverloaded = Intrinsic::isOverloaded(which);
    return builder.CreateIntrinsic(
        which, isOverloaded ? ArrayRef<Type *>(builder.getFloatTy()) : ArrayRef<Type *>(),
        operands);
  }

  static Value *fuse(IRBuilder<> &builder, Value *a, Value *b, Value *c) {
    return call(builder, Intrinsic::fma, {a, b, c});
  }

  static Value *multiply(IRBuilder<> &builder, Value *a, Value *b) {
    return call(builder, Intrinsic::nvvm_mul_rn_f, {a, b});
  }

  static Value *magnitude(IRBuilder<> &builder, Value &number) {
    return call(builder, Intrinsic::fabs, {&number});
  }

  static Constant *constant(IRBuilder<> &builder, float number) {
    return ConstantFP::get(builder.getFloatTy(), APFloat(number));
  }

  static Value *bits(IRBuilder<> &builder, Value &number) {
    return builder.CreateBitCast(&number, builder.getInt32Ty());
  }

  void require(IRBuilder<> &builder, Value *condition) {
    holds = holds ? builder.CreateAnd(holds, condition) : condition;
  }

  Value *root(IRBuilder<> &builder, Value &radicand) {
    Value *reciprocal = call(builder, Intrinsic::nvvm_rsqrt_approx_ftz_f, {&radicand});
    Value *first = multiply(builder, &radicand, reciprocal);
    Value *half = multiply(builder, constant(builder, 0.5f), reciprocal);
    Value *left = fuse(builder, builder.CreateFNeg(first), first, &radicand);
    // One comparison for both ends: numbers below 0, and those that are none, are greater.
    uint32_t least = bit_cast<uint32_t>(leastRadicand), infinite = 0x7f800000;
    Value *above = builder.CreateSub(bits(builder, radicand), builder.getInt32(least));
    require(builder, builder.CreateICmpULT(above, builder.getInt32(infinite - least)));
    return fuse(builder, left, half, first);
  }

  Value *divide(IRBuilder<> &builder, Instruction &quotient) {
    Value *dividend = quotient.getOperand(0), *by = quotient.getOperand(1);
    Divisor &divisor = divisorOf(builder, *by, group.byPositive.contains(&quotient));
    if (!isa<Constant>(dividend))
      requireDividend(builder, *dividend, takesZero(quotient) ? divisor.zeros : nullptr);
    // In this order of signs, 0 and -0 keep theirs for a divisor above 0.
    Value *first = multiply(builder, dividend, divisor.reciprocal);
    Value *excess = fuse(builder, by, first, builder.CreateFNeg(dividend));
    return fuse(builder, divisor.negated, excess, first);
  }

  void requireDividend(IRBuilder<> &builder, Value &dividend, Value *zeros) {
    if (!zeros)
      return require(builder, builder.CreateFCmpOGE(magnitude(builder, dividend),
                                                    constant(builder, leastDividend)));
    Value *doubled = builder.CreateShl(bits(builder, dividend), 1);
    uint32_t least = bit_cast<uint32_t>(leastDividend) << 1;
    require(builder,
            builder.CreateICmpUGE(builder.CreateAdd(doubled, zeros), builder.getInt32(least)));
  }

  Divisor &divisorOf(IRBuilder<> &builder, Value &by, bool isPositive) {
    auto [found, isNew] = divisors.try_emplace(&by);
    Divisor &divisor = found->second;
    if (!isNew)
      return divisor;
    divisor.reciprocal = reciprocalOf(builder, by);
    divisor.negated = builder.CreateFNeg(divisor.reciprocal);
    if (isPositive)
      divisor.zeros = builder.getInt32(-1);
    else
      divisor.zeros = builder.CreateNot(builder.CreateAShr(bits(builder, by), 31));
    return divisor;
  }

  Value *reciprocalOf(IRBuilder<> &builder, Value &by) {
    if (auto *number = dyn_cast<ConstantFP>(&by))
      return ConstantFP::get(by.getType(), APFloat(1.0f) / number->getValueAPF());
    Value *approximate = call(builder, Intrinsic::nvvm_rcp_approx_ftz_f, {&by});
    Value *error = fuse(builder, builder.CreateFNeg(&by), approximate, constant(builder, 1));
    // Divisors that are 0, subnormal, infinite or no numbers give a reciprocal that is no number.
    require(builder, builder.CreateFCmpOLE(magnitude(builder, by), constant(builder, mostDivisor)));
    return fuse(builder, approximate, error, approximate);
  }

  const RoundedGroup &group;
  SmallDenseMap<Value *, Divisor, 4> divisors;
  Value *holds = nullptr;
  Value *magnitudes = nullptr; ///< the sum of those that no other check sees
};

class Joiner {
public:
  explicit Joiner(RoundedGroup &group) : group(group), head(group.members.front()->getParent()) {}

  void run() {
    freezeOperands();
    after = SplitBlock(head, group.members.back()->getNextNode());
    for (Instruction *one : reverse(group.rest))
      one->moveBefore(*after, after->begin());
    slow = copySlice();
    Value *holds = computeFast();
    head->getTerminator()->eraseFromParent();
    MDNode *weights = MDBuilder(head->getContext()).createLikelyBranchWeights();
    BranchInst::Create(after, slow, holds, head)->setMetadata(LLVMContext::MD_prof, weights);
    for (auto [fast, exact] : results)
      join(*fast, *exact);
  }

private:
  /// A branch on what is undefined may do anything, and quotients of one divisor need one value.
  void freezeOperands() {
    DenseMap<Value *, Value *> frozen;
    SmallSetVector<Instruction *, 16> slice;
    for (Instruction *one : group.slice) {
      if (group.members.contains(one))
        for (Use &use : one->operands())
          freeze(use, frozen, slice);
      slice.insert(one);
    }
    group.slice = std::move(slice);
  }

  void freeze(Use &use, DenseMap<Value *, Value *> &frozen,
              SmallSetVector<Instruction *, 16> &slice) {
    auto *user = cast<Instruction>(use.getUser());
    if (auto *call = dyn_cast<CallBase>(user); call && !call->isArgOperand(&use))
      return;
    Value *value = use;
    if (isGuaranteedNotToBeUndefOrPoison(value))
      return;
    auto [found, isNew] = frozen.try_emplace(value);
    if (isNew) {
      auto *made = new FreezeInst(value, value->getName() + ".frozen", user->getIterator());
      found->second = made;
      if (auto *own = dyn_cast<Instruction>(value); own && group.slice.contains(own))
        slice.insert(made);
    }
    use.set(found->second);
  }

  /// Copies the slice, which divides and takes roots, to a block of its own.
  BasicBlock *copySlice() {
    auto *block = BasicBlock::Create(head->getContext(), "exact", head->getParent());
    ValueToValueMapTy copies;
    for (Instruction *one : group.slice) {
      Instruction *copy = one->clone();
      copy->insertInto(block, block->end());
      RemapInstruction(copy, copies, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
      copies[one] = copy;
      results.push_back({one, copy});
    }
    BranchInst::Create(after, block);
    return block;
  }

  Value *computeFast() {
    FastWay way(group);
    for (auto &[one, exact] : results) {
      if (!group.members.contains(one)) {
        one->dropPoisonGeneratingFlags(); // operands may be no numbers where the check fails
        continue;
      }
      Value *fast = way.build(*one);
      fast->takeName(one);
      one->replaceAllUsesWith(fast);
      one->eraseFromParent();
      one = cast<Instruction>(fast);
    }
    IRBuilder<> builder(head->getTerminator());
    return way.condition(builder);
  }

  /// Gives what is behind the check the value of the way that was taken.
  void join(Instruction &fast, Instruction &exact) {
    SmallVector<Use *, 4> outside;
    for (Use &use : fast.uses())
      if (auto *user = cast<Instruction>(use.getUser());
          isa<PHINode>(user) || user->getParent() != head)
        outside.push_back(&use);
    if (outside.empty())
      return;
    auto *either = PHINode::Create(fast.getType(), 2, fast.getName(), after->begin());
    either->addIncoming(&fast, head);
    either->addIncoming(&exact, slow);
    for (Use *use : outside)
      use->set(either);
  }

  RoundedGroup &group;
  BasicBlock *head, *after = nullptr, *slow = nullptr;
  SmallVector<std::pair<Instruction *, Instruction *>, 16> results; ///< fast and exact
};
} // namespace

PreservedAnalyses JointDivisions::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<RoundedGroup, 2> groups;
  bool isMoved = false;
  // Fast mathematics, which flushes to zero, has approximations for floats.
  if (function.getDenormalMode(APFloat::IEEEsingle()) == DenormalMode::getIEEE())
    for (BasicBlock &block : function) {
      isMoved |= gatherQuotients(block);
      groups.append(findRoundedGroups(block));
    }
  for (RoundedGroup &group : groups)
    Joiner(group).run();
  return groups.empty() ? flowPreserved(isMoved) : PreservedAnalyses::none();
}

} // namespace regrain::nvptx
