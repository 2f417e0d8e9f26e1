//===- CodesByBits.cpp - 8-bit numbers computed from bits -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Arithmetic/CodesByBits.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "compiler/Target/NVPTX/Arithmetic/ClampBounds.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/DemandedBits.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::nvptx {
namespace {

/// Magnitudes of floats as their bits: from here on they are no number in 8 bits, and below this
/// they are subnormal there.
constexpr uint32_t firstNan = 0x43f00000, firstNormal = 0x3c800000;
constexpr uint32_t magnitudeBits = 0x7fffffff;
constexpr uint64_t nanCode = 127;
constexpr float ofEqualSteps = 16384; ///< neighbours are as far apart as subnormal codes
constexpr float largestAlike = 464;   ///< the instruction has the same results so far
constexpr uint64_t codeBits = 0xff, mantissaShift = 20, signShift = 24;
/// The other bias, and what rounds to even with the lowest bit that stays; other bits are not seen.
constexpr uint64_t rebias = 0x0407ffff, seenBits = 0x0fffffff;

/// Returns the float whose bits the value is, or null.
Value *floatOf(Value *bits) {
  Value *number;
  return match(bits, m_BitCast(m_Value(number))) && number->getType()->isFloatTy() ? number
                                                                                   : nullptr;
}

/// What is converted: a float, or its bits, and the bits of its magnitude, which conditions
/// compare.
struct Source {
  Value *value, *magnitude;

  /// Finds them; returns nothing if the value may have a sign.
  static std::optional<Source> of(Value *magnitude) {
    Value *bits, *number;
    if (match(magnitude, m_And(m_Value(bits), m_SpecificInt(magnitudeBits))))
      return Source{floatOf(bits) ? floatOf(bits) : bits, magnitude};
    Value *positive = floatOf(magnitude);
    if (positive && match(positive, m_Intrinsic<Intrinsic::fabs>(m_Value(number))))
      return Source{number, magnitude};
    return std::nullopt;
  }
  bool isSigned(Value *bits) const { return bits == value || floatOf(bits) == value; }
  bool isAbsolute(Value *number) const {
    return match(number, m_BitCast(m_Specific(magnitude))) ||
           match(number, m_Intrinsic<Intrinsic::fabs>(m_Specific(value)));
  }
  /// Whether these are the bits, with the sign or without.
  bool isBits(Value *bits) const {
    return bits == magnitude || isSigned(bits) || (floatOf(bits) && isAbsolute(floatOf(bits)));
  }
};

/// What a value is in one range of magnitudes: the branches and selections that compare the
/// magnitude are decided there.
class Case {
public:
  Case(Value *magnitude, uint32_t begin, uint32_t end)
      : magnitude(magnitude), range(APInt(32, begin), APInt(32, end)) {}

  /// Runs from the end of `begin` to the beginning of `end`. Returns whether all is decided.
  bool run(BasicBlock *begin, const BasicBlock *end) {
    for (unsigned step = 0; step < mostBlocks; ++step) {
      auto *branch = dyn_cast<BranchInst>(begin->getTerminator());
      if (!branch)
        return false;
      unsigned way = 0;
      if (branch->isConditional()) {
        std::optional<bool> isTrue = decided(branch->getCondition());
        if (!isTrue)
          return false;
        way = *isTrue ? 0 : 1;
      }
      BasicBlock *next = branch->getSuccessor(way);
      before[next] = begin;
      if (next == end)
        return true;
      begin = next;
    }
    return false;
  }

  /// Returns what the value is on this way.
  Value *resolve(Value *value) const {
    for (unsigned step = 0; step < mostBlocks; ++step) {
      auto *phi = dyn_cast<PHINode>(value);
      if (BasicBlock *from = phi ? before.lookup(phi->getParent()) : nullptr) {
        value = phi->getIncomingValueForBlock(from);
        continue;
      }
      auto *select = dyn_cast<SelectInst>(value);
      std::optional<bool> isTrue = select ? decided(select->getCondition()) : std::nullopt;
      if (!isTrue)
        return value;
      value = *isTrue ? select->getTrueValue() : select->getFalseValue();
    }
    return value;
  }

private:
  static constexpr unsigned mostBlocks = 8;
  Value *magnitude;
  ConstantRange range;
  DenseMap<const BasicBlock *, BasicBlock *> before;

  std::optional<bool> decided(Value *condition) const {
    ICmpInst::Predicate predicate;
    const APInt *limit;
    if (!match(condition, m_ICmp(predicate, m_Specific(magnitude), m_APInt(limit))))
      return std::nullopt;
    ConstantRange other(*limit);
    if (range.icmp(predicate, other))
      return true;
    if (range.icmp(CmpInst::getInversePredicate(predicate), other))
      return false;
    return std::nullopt;
  }
};

/// Returns the value without conversions that keep its lower 8 bits.
Value *lowerBits(Value *value) {
  Value *from;
  while (match(value, m_ZExtOrSExt(m_Value(from))) || match(value, m_Trunc(m_Value(from)))) {
    if (from->getType()->getScalarSizeInBits() < 8)
      break;
    value = from;
  }
  return value;
}

bool isNan(Value *value) { return match(lowerBits(value), m_SpecificInt(nanCode)); }

/// The bits of the sum of the magnitude and a number whose neighbours are a code apart; what is
/// taken away from them again has no lower bits.
bool isSubnormal(Value *value, const Source &source) {
  const APInt *constant;
  Value *sum = lowerBits(value), *part;
  if (match(sum, m_Add(m_Value(part), m_APInt(constant))) && (*constant & codeBits) == 0)
    sum = lowerBits(part);
  Value *number = floatOf(sum), *addend;
  return number && match(number, m_FAdd(m_Value(addend), m_SpecificFP(ofEqualSteps))) &&
         source.isAbsolute(addend);
}

bool isNormal(Value *value, const Source &source) {
  Value *sum;
  if (!match(lowerBits(value), m_LShr(m_Value(sum), m_SpecificInt(mantissaShift))))
    return false;
  auto isBits = [&](Value *part) { return source.isBits(part); };
  SmallVector<Value *, 4> parts{sum}, found;
  while (!parts.empty()) {
    Value *part = parts.pop_back_val(), *left, *right;
    if (found.size() > 3)
      return false;
    if (!isBits(part) && match(part, m_Add(m_Value(left), m_Value(right))))
      parts.append({left, right});
    else
      found.push_back(part);
  }
  auto isLowest = [&](Value *part) {
    Value *bits;
    return match(part, m_And(m_LShr(m_Value(bits), m_SpecificInt(mantissaShift)), m_One())) &&
           isBits(bits);
  };
  auto isRebias = [](Value *part) {
    const APInt *constant;
    return match(part, m_APInt(constant)) && (*constant & seenBits) == rebias;
  };
  return found.size() == 3 && any_of(found, isBits) && any_of(found, isLowest) &&
         any_of(found, isRebias);
}

bool isAlike(const Value *number) {
  std::optional<float> largest = largestMagnitude(number);
  return largest && *largest <= largestAlike;
}

/// Decides a comparison of a magnitude if the constants of a clamp do. Where threads are joined,
/// one such comparison guards the codes of all of them.
bool decide(ICmpInst &comparison) {
  ICmpInst::Predicate predicate;
  Value *magnitude;
  const APInt *limit;
  if (!match(&comparison, m_ICmp(predicate, m_Value(magnitude), m_APInt(limit))) ||
      !magnitude->getType()->isIntegerTy(32))
    return false;
  std::optional<Source> source = Source::of(magnitude);
  if (!source || !source->value->getType()->isFloatTy())
    return false;
  std::optional<float> largest = largestMagnitude(source->value);
  if (!largest)
    return false;
  ConstantRange range(APInt(32, 0), APInt(32, llvm::bit_cast<uint32_t>(*largest) + 1));
  bool isTrue = range.icmp(predicate, *limit);
  if (!isTrue && !range.icmp(ICmpInst::getInversePredicate(predicate), *limit))
    return false;
  comparison.replaceAllUsesWith(ConstantInt::getBool(comparison.getType(), isTrue));
  return true;
}

/// Returns whether the value is the code of the magnitude that a comparison in front of it is of.
bool isCode(Instruction &root, BasicBlock *begin, const Source &source) {
  auto isIn = [&](uint32_t first, uint32_t end, auto isRight) {
    Case one(source.magnitude, first, end);
    if (isa<PHINode>(root) && !one.run(begin, root.getParent()))
      return false;
    return isRight(one.resolve(&root));
  };
  // A number that cannot be that large may have no code there.
  bool isBounded = source.value->getType()->isFloatTy() && isAlike(source.value);
  return (isBounded || isIn(firstNan, magnitudeBits + 1, isNan)) &&
         isIn(0, firstNormal, [&](Value *value) { return isSubnormal(value, source); }) &&
         isIn(firstNormal, firstNan, [&](Value *value) { return isNormal(value, source); });
}

/// Returns the conversion, as the headers of CUDA write it, so that neighbours can become pairs.
InlineAsm *conversion(LLVMContext &context) {
  Type *half = Type::getInt16Ty(context), *single = Type::getFloatTy(context);
  return InlineAsm::get(FunctionType::get(half, {single, single}, false),
                        "{cvt.rn.satfinite.e4m3x2.f32 $0, $2, $1;}", "=h,f,f",
                        /*hasSideEffects=*/false);
}

/// Builds the code of a float in the root's type, in front of `builder`.
Value *buildCode(IRBuilder<> &builder, Value *number, Type *type) {
  Type *single = builder.getFloatTy();
  InlineAsm *convert = conversion(builder.getContext());
  CallInst *pair = builder.CreateCall(convert, {number, ConstantFP::get(single, 0)});
  pair->setDoesNotThrow();
  pair->setMemoryEffects(MemoryEffects::none());
  Value *code = builder.CreateTrunc(pair, builder.getInt8Ty());
  return builder.CreateZExtOrTrunc(code, type);
}

/// Returns the `or` that puts the sign into the code, if that is the root's only use.
Instruction *signedCode(Instruction &root, const Source &source) {
  Instruction *code = &root;
  if (code->hasOneUse() && isa<TruncInst>(code->user_back()) &&
      code->user_back()->getType()->getIntegerBitWidth() >= 8)
    code = code->user_back();
  Value *other, *sign;
  if (!code->hasOneUse() || !match(code->user_back(), m_c_Or(m_Specific(code), m_Value(other))) ||
      !match(other, m_And(m_Value(sign), m_SpecificInt(128))))
    return nullptr;
  Value *bits;
  return match(lowerBits(sign), m_LShr(m_Value(bits), m_SpecificInt(signShift))) &&
                 source.isSigned(bits)
             ? code->user_back()
             : nullptr;
}

/// Returns the operand of an `or` with a sign that is the sign.
Value *signOf(Instruction &whole) {
  bool isFirst = match(whole.getOperand(0), m_And(m_Value(), m_SpecificInt(128)));
  return whole.getOperand(isFirst ? 0 : 1);
}

/// Puts the sign of a number into its code, if a magnitude was converted and the sign is added to
/// the code. In 32 bits, as for joined threads, it may be added to a wider form of the code.
bool foldSign(CallInst &call) {
  Value *number;
  if (call.getCalledOperand() != conversion(call.getContext()) ||
      !match(call.getArgOperand(0), m_Intrinsic<Intrinsic::fabs>(m_Value(number))) ||
      !match(call.getArgOperand(1), m_PosZeroFP()) || !isAlike(number))
    return false;
  SmallVector<Value *> forms{&call};
  SmallVector<std::pair<BinaryOperator *, unsigned>> wholes; // and by how far they are shifted
  for (size_t next = 0; next < forms.size(); ++next)
    for (User *user : forms[next]->users()) {
      Value *sign, *bits;
      if ((isa<ZExtInst, TruncInst>(user) && user->getType()->getScalarSizeInBits() >= 8) ||
          match(user, m_And(m_Specific(forms[next]), m_SpecificInt(codeBits))))
        forms.push_back(user);
      else if (match(user,
                     m_c_Or(m_Specific(forms[next]), m_And(m_Value(sign), m_SpecificInt(128)))) &&
               match(lowerBits(sign), m_LShr(m_Value(bits), m_SpecificInt(signShift))) &&
               floatOf(bits) == number)
        wholes.emplace_back(cast<BinaryOperator>(user), 0);
      else if (match(user, m_Shl(m_Specific(forms[next]), m_SpecificInt(signShift))) &&
               user->getType()->isIntegerTy(32))
        for (User *whole : user->users()) // in the upper byte, the sign needs no shift
          if (match(whole, m_c_Or(m_Specific(user), m_And(m_Value(bits), m_SignMask()))) &&
              floatOf(bits) == number)
            wholes.emplace_back(cast<BinaryOperator>(whole), signShift);
    }
  IRBuilder<> builder(&call);
  for (auto [whole, shift] : wholes) {
    Value *code = buildCode(builder, number, whole->getType());
    whole->replaceAllUsesWith(shift ? builder.CreateShl(code, shift) : code);
    RecursivelyDeleteTriviallyDeadInstructions(whole); // what else uses the number counts
  }
  return !wholes.empty();
}

/// Finds the source that the conditions in front of the root compare.
std::optional<Source> findSource(Instruction &root, BasicBlock *begin) {
  Value *condition = nullptr, *magnitude;
  if (auto *select = dyn_cast<SelectInst>(&root))
    condition = select->getCondition();
  else if (auto *branch = begin ? dyn_cast<BranchInst>(begin->getTerminator()) : nullptr;
           branch && branch->isConditional())
    condition = branch->getCondition();
  ICmpInst::Predicate predicate;
  const APInt *limit;
  if (!condition || !match(condition, m_ICmp(predicate, m_Value(magnitude), m_APInt(limit))) ||
      !magnitude->getType()->isIntegerTy(32))
    return std::nullopt;
  return Source::of(magnitude);
}

bool replace(Instruction &root, DominatorTree &dominators, DemandedBits &demanded) {
  if (!root.getType()->isIntegerTy() || root.getType()->getIntegerBitWidth() < 8)
    return false;
  BasicBlock *begin = nullptr;
  if (isa<PHINode>(root))
    if (DomTreeNode *node = dominators.getNode(root.getParent()); node && node->getIDom())
      begin = node->getIDom()->getBlock();
  std::optional<Source> source = findSource(root, begin);
  if (!source || !isCode(root, begin, *source) ||
      demanded.getDemandedBits(&root).getActiveBits() > 8)
    return false;
  Instruction *whole = signedCode(root, *source);
  BasicBlock *block = root.getParent();
  IRBuilder<> builder(block, whole                ? whole->getIterator()
                             : isa<PHINode>(root) ? block->getFirstInsertionPt()
                                                  : root.getIterator());
  Value *number = builder.CreateBitCast(source->value, builder.getFloatTy());
  Instruction &old = whole ? *whole : root;
  Value *absolute = builder.CreateUnaryIntrinsic(Intrinsic::fabs, number);
  Value *code = buildCode(builder, whole ? number : absolute, old.getType());
  if (!isAlike(number)) {
    Constant *limit = ConstantFP::get(number->getType(), largestAlike);
    Value *nan = ConstantInt::get(old.getType(), nanCode);
    if (whole)
      nan = builder.CreateOr(nan, signOf(*whole));
    code = builder.CreateSelect(builder.CreateFCmpUGT(absolute, limit), nan, code);
  }
  old.replaceAllUsesWith(code);
  return true;
}

} // namespace

PreservedAnalyses UseCodeConversions::run(Function &function, FunctionAnalysisManager &analyses) {
  bool isChanged = false;
  SmallVector<WeakTrackingVH> conversions;
  for (Instruction &instruction : instructions(function))
    if (auto *comparison = dyn_cast<ICmpInst>(&instruction))
      isChanged |= decide(*comparison);
    else if (isa<CallInst>(instruction))
      conversions.emplace_back(&instruction);
  for (const WeakTrackingVH &one : conversions)
    if (auto *call = dyn_cast_or_null<CallInst>(one))
      isChanged |= foldSign(*call);
  SmallVector<Instruction *> roots;
  for (Instruction &instruction : instructions(function))
    if (isa<PHINode, SelectInst>(instruction))
      roots.push_back(&instruction);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto &demanded = analyses.getResult<DemandedBitsAnalysis>(function);
  for (Instruction *root : roots)
    isChanged |= replace(*root, dominators, demanded);
  return flowPreserved(isChanged); // what is left without uses is dead, and LLVM removes it
}

} // namespace regrain::nvptx
