//===- CodesByBits.cpp - 8-bit numbers computed from bits -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/CodesByBits.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/DemandedBits.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

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
constexpr uint64_t codeBits = 0xff, mantissaShift = 20;
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

/// Returns whether the value is the code of the magnitude that a comparison in front of it is of.
bool isCode(Instruction &root, BasicBlock *begin, const Source &source) {
  auto isIn = [&](uint32_t first, uint32_t end, auto isRight) {
    Case one(source.magnitude, first, end);
    if (isa<PHINode>(root) && !one.run(begin, root.getParent()))
      return false;
    return isRight(one.resolve(&root));
  };
  return isIn(firstNan, magnitudeBits + 1, isNan) &&
         isIn(0, firstNormal, [&](Value *value) { return isSubnormal(value, source); }) &&
         isIn(firstNormal, firstNan, [&](Value *value) { return isNormal(value, source); });
}

/// Returns the greatest that a number is if it is one, by the constants of a clamp; it is a number
/// unless nothing is known.
std::optional<APFloat> boundOf(const Value *number, bool isUpper, unsigned levels = 4) {
  auto *constant = dyn_cast<ConstantFP>(number);
  if (constant && !constant->isNaN())
    return constant->getValueAPF();
  auto *intrinsic = dyn_cast<IntrinsicInst>(number);
  if (!intrinsic || levels == 0)
    return std::nullopt;
  Intrinsic::ID id = intrinsic->getIntrinsicID();
  bool isLeast = id == Intrinsic::minnum;
  if (!isLeast && id != Intrinsic::maxnum)
    return std::nullopt;
  auto left = boundOf(intrinsic->getArgOperand(0), isUpper, levels - 1);
  auto right = boundOf(intrinsic->getArgOperand(1), isUpper, levels - 1);
  if (left && right)
    return isLeast ? minnum(*left, *right) : maxnum(*left, *right);
  // The other one may be anything, and is not the result if it is no number.
  return isLeast == isUpper ? (left ? left : right) : std::nullopt;
}

bool isAlike(const Value *number) {
  auto upper = boundOf(number, true), lower = boundOf(number, false);
  return upper && lower && upper->convertToFloat() <= largestAlike &&
         lower->convertToFloat() >= -largestAlike;
}

/// Builds the code of a float in the root's type, in front of `builder`.
Value *buildCode(IRBuilder<> &builder, Value *number, Type *type) {
  Type *half = builder.getInt16Ty(), *single = builder.getFloatTy();
  // As the headers of CUDA write it, so that neighbours can become pairs.
  auto *convert = InlineAsm::get(FunctionType::get(half, {single, single}, false),
                                 "{cvt.rn.satfinite.e4m3x2.f32 $0, $2, $1;}", "=h,f,f",
                                 /*hasSideEffects=*/false);
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
  return match(lowerBits(sign), m_LShr(m_Value(bits), m_SpecificInt(24))) && source.isSigned(bits)
             ? code->user_back()
             : nullptr;
}

/// Returns the operand of an `or` with a sign that is the sign.
Value *signOf(Instruction &whole) {
  bool isFirst = match(whole.getOperand(0), m_And(m_Value(), m_SpecificInt(128)));
  return whole.getOperand(isFirst ? 0 : 1);
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
  SmallVector<Instruction *> roots;
  for (Instruction &instruction : instructions(function))
    if (isa<PHINode, SelectInst>(instruction))
      roots.push_back(&instruction);
  if (roots.empty())
    return PreservedAnalyses::all();
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto &demanded = analyses.getResult<DemandedBitsAnalysis>(function);
  for (Instruction *root : roots)
    isChanged |= replace(*root, dominators, demanded);
  return flowPreserved(isChanged); // what is left without uses is dead, and LLVM removes it
}

} // namespace regrain::nvptx
