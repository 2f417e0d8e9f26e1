//===- CodedQuotients.cpp - Quotients that become 8-bit numbers -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Arithmetic/CodedQuotients.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// A number that is beyond what rounds to a number of any of the formats.
constexpr float beyond = 65536;

/// Returns the largest number of the format of 8 bits to which the call converts two floats.
std::optional<float> largestCode(const User *user) {
  auto *call = dyn_cast<CallInst>(user);
  auto *code = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  if (!code || code->hasSideEffects() || code->getConstraintString() != "=h,f,f")
    return std::nullopt;
  StringRef text = StringRef(code->getAsmString()).trim(" \t\n{}");
  if (!text.consume_front("cvt.rn.satfinite.") || !text.consume_back("x2.f32 $0, $2, $1;"))
    return std::nullopt;
  if (text == "e4m3")
    return 448;
  return text == "e5m2" ? std::optional<float>(57344) : std::nullopt;
}

/// One bound of a clamp: the result is a number.
struct Bound {
  IntrinsicInst *call;
  float limit;

  bool isUpper() const { return call->getIntrinsicID() == Intrinsic::minnum; }
  Value *bounded() const { return call->getArgOperand(isa<ConstantFP>(call->getArgOperand(0))); }

  static std::optional<Bound> of(Value *value) {
    auto *call = dyn_cast<IntrinsicInst>(value);
    if (!call || !call->getType()->isFloatTy() ||
        !is_contained({Intrinsic::minnum, Intrinsic::maxnum}, call->getIntrinsicID()))
      return std::nullopt;
    for (Value *operand : call->args())
      if (auto *limit = dyn_cast<ConstantFP>(operand); limit && !limit->isNaN())
        return Bound{call, limit->getValueAPF().convertToFloat()};
    return std::nullopt;
  }
};

/// Returns whether conversions alone use the number, its magnitude, or either behind bounds.
bool isOnlyConverted(const Value *number, unsigned levels = 4) {
  return levels && all_of(number->users(), [&](const User *user) {
           auto *call = dyn_cast<IntrinsicInst>(user);
           bool isStep = call && (call->getIntrinsicID() == Intrinsic::fabs ||
                                  Bound::of(const_cast<User *>(user)));
           return largestCode(user) || (isStep && isOnlyConverted(user, levels - 1));
         });
}

/// A division, and the nearest bound of its result.
struct Quotient {
  BinaryOperator *division;
  std::optional<Bound> bound;

  /// Returns it if nothing but codes depends on the division.
  static std::optional<Quotient> of(Instruction &instruction) {
    auto *division = dyn_cast<BinaryOperator>(&instruction);
    if (!division || division->getOpcode() != Instruction::FDiv ||
        !division->getType()->isFloatTy() || division->hasApproxFunc() ||
        division->hasAllowReciprocal() || isa<ConstantFP>(division->getOperand(1)) ||
        division->use_empty() || !isOnlyConverted(division))
      return std::nullopt;
    return Quotient{division,
                    division->hasOneUse() ? Bound::of(division->user_back()) : std::nullopt};
  }
};

/// What all quotients by a divisor use: x `factor` is the numerator of x. The reciprocal is that of
/// the divisor, which has no sign.
struct Divisor {
  Value *factor, *divisor, *reciprocal, *negated;

  /// Builds it for `value`.
  Divisor(IRBuilder<> &builder, Value *value) {
    auto number = [&](double of) { return ConstantFP::get(value->getType(), of); };
    Value *magnitude = builder.CreateUnaryIntrinsic(Intrinsic::fabs, value);
    Value *isLarge = builder.CreateFCmpOGE(magnitude, number(0x1p64));
    Value *isSmall = builder.CreateFCmpOLT(magnitude, number(0x1p-64));
    Value *power = builder.CreateSelect(isSmall, number(0x1p64), number(1));
    power = builder.CreateSelect(isLarge, number(0x1p-64), power);
    factor = builder.CreateBinaryIntrinsic(Intrinsic::copysign, power, value);
    Value *scaled = builder.CreateFMul(magnitude, power);
    reciprocal = builder.CreateIntrinsic(Intrinsic::nvvm_rcp_rn_f, {}, {scaled});
    negated = builder.CreateFNeg(reciprocal);
    // The reciprocal of infinity is 0, and so is what is taken away then.
    Value *isInfinite = builder.CreateFCmpOEQ(magnitude, ConstantFP::getInfinity(value->getType()));
    divisor = builder.CreateSelect(isInfinite, number(0), scaled);
  }

  Value *quotient(IRBuilder<> &builder, const Quotient &of) const {
    Type *type = factor->getType();
    Value *numerator = builder.CreateFMul(of.division->getOperand(0), factor);
    Value *near = builder.CreateFMul(numerator, reciprocal);
    if (!of.bound || !of.bound->isUpper())
      near = builder.CreateMinNum(near, ConstantFP::get(type, beyond));
    if (!of.bound || of.bound->isUpper())
      near = builder.CreateMaxNum(near, ConstantFP::get(type, -beyond));
    auto fused = [&](Value *left, Value *right, Value *addend) {
      return builder.CreateIntrinsic(Intrinsic::fma, {type}, {left, right, addend});
    };
    // The negated rest: the sign of a rest of 0 then leaves that of a quotient of 0.
    Value *rest = fused(near, divisor, builder.CreateFNeg(numerator));
    return fused(rest, negated, near);
  }
};

class FunctionWork {
public:
  FunctionWork(Function &function, LoopInfo &loops) : function(function), loops(loops) {}

  bool run() {
    bool isChanged = false;
    for (Instruction &instruction : instructions(function))
      if (std::optional<float> largest = largestCode(&instruction))
        for (Use &operand : cast<CallInst>(instruction).args())
          isChanged |= dropBound(operand, *largest);
    for (Instruction &instruction : instructions(function))
      if (std::optional<Quotient> quotient = Quotient::of(instruction))
        quotients[instruction.getOperand(1)].push_back(*quotient);
    for (auto &[divisor, all] : quotients)
      if (isWorthwhile(divisor, all)) {
        replace(divisor, all);
        isChanged = true;
      }
    return isChanged;
  }

private:
  static constexpr size_t fewest = 4; ///< quotients that take as long as the reciprocal saves
  Function &function;
  LoopInfo &loops;
  MapVector<Value *, SmallVector<Quotient>> quotients;

  /// Removes the last bound of a clamp if the conversion has it anyway, as what is no number does
  /// not reach it.
  static bool dropBound(Use &operand, float largest) {
    std::optional<Bound> last = Bound::of(operand.get());
    std::optional<Bound> before = last ? Bound::of(last->bounded()) : std::nullopt;
    if (!before || before->isUpper() == last->isUpper() ||
        (last->isUpper() ? last->limit < largest : last->limit > -largest))
      return false;
    operand.set(before->call); // what is left without uses is dead, and LLVM removes it
    return true;
  }

  unsigned depthOf(const Value *value) const {
    auto *instruction = dyn_cast<Instruction>(value);
    return instruction ? loops.getLoopDepth(instruction->getParent()) : 0;
  }
  bool isWorthwhile(const Value *divisor, ArrayRef<Quotient> all) const {
    return all.size() >= fewest || any_of(all, [&](const Quotient &one) {
             return depthOf(one.division) > depthOf(divisor);
           });
  }

  void replace(Value *value, ArrayRef<Quotient> all) {
    auto *instruction = dyn_cast<Instruction>(value);
    BasicBlock::iterator begin = instruction ? *instruction->getInsertionPointAfterDef()
                                             : function.getEntryBlock().getFirstInsertionPt();
    IRBuilder<> builder(begin->getParent(), begin);
    Divisor divisor(builder, value);
    for (const Quotient &one : all) {
      builder.SetInsertPoint(one.division);
      one.division->replaceAllUsesWith(divisor.quotient(builder, one));
      one.division->eraseFromParent();
    }
  }
};

} // namespace

PreservedAnalyses ShareReciprocals::run(Function &function, FunctionAnalysisManager &analyses) {
  DenormalMode mode = function.getDenormalMode(APFloat::IEEEsingle());
  if (mode.Output != DenormalMode::IEEE || mode.Input != DenormalMode::IEEE)
    return PreservedAnalyses::all();
  return flowPreserved(FunctionWork(function, analyses.getResult<LoopAnalysis>(function)).run());
}

} // namespace regrain::nvptx
