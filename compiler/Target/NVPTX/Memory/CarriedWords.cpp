//===- CarriedWords.cpp - Halves of words that loops carry ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/CarriedWords.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned halfBits = 16, wordBits = 32;
constexpr uint64_t halfMask = 0xffff;

bool isHalf(const Type &type) {
  return type.isIntegerTy(halfBits) || type.isHalfTy() || type.isBFloatTy();
}

bool isWordOrHalf(const Type &type) { return type.isIntegerTy(wordBits) || isHalf(type); }

/// The two values whose lowest 16 bits are the halves of a word.
struct Halves {
  Value *low, *high;
};

/// Returns a value with the same lowest 16 bits, without what changes only the others.
Value *withoutCasts(Value *value) {
  Value *inner;
  const APInt *mask;
  while ((match(value, m_CombineOr(m_ZExt(m_Value(inner)), m_Trunc(m_Value(inner)))) &&
          isWordOrHalf(*inner->getType())) ||
         (match(value, m_BitCast(m_Value(inner))) && isHalf(*inner->getType())) ||
         (match(value, m_And(m_Value(inner), m_APInt(mask))) && mask->getBitWidth() == wordBits &&
          mask->countr_one() >= halfBits))
    value = inner;
  return value;
}

Halves withoutCasts(Halves halves) { return {withoutCasts(halves.low), withoutCasts(halves.high)}; }

/// Returns the halves that the instruction joins to a word of 32 bits.
std::optional<Halves> joinedBy(Instruction &instruction) {
  Value *low, *high, *vector;
  if (instruction.getType()->isIntegerTy(wordBits) &&
      match(&instruction,
            m_c_Or(m_Shl(m_Value(high), m_SpecificInt(halfBits)),
                   m_CombineAnd(
                       m_Value(low),
                       m_CombineOr(m_ZExt(m_Value()), m_And(m_Value(), m_SpecificInt(halfMask)))))))
    if (auto *wide = dyn_cast<ZExtInst>(low); !wide || isHalf(*wide->getSrcTy()))
      return withoutCasts({low, high});
  auto *type = dyn_cast<FixedVectorType>(instruction.getType());
  if (type && type->getNumElements() == 2 && isHalf(*type->getElementType()) &&
      match(&instruction, m_InsertElt(m_Value(vector), m_Value(high), m_SpecificInt(1))) &&
      match(vector, m_InsertElt(m_Value(), m_Value(low), m_Zero())))
    return withoutCasts({low, high});
  return std::nullopt;
}

/// Returns the word or the pair whose two halves these are; null if there is none.
Value *wordOf(Halves halves) {
  Value *word;
  if (halves.low->getType()->isIntegerTy(wordBits) &&
      match(halves.high, m_LShr(m_Specific(halves.low), m_SpecificInt(halfBits))))
    return halves.low;
  if (match(halves.low, m_ExtractElt(m_Value(word), m_Zero())) &&
      match(halves.high, m_ExtractElt(m_Specific(word), m_SpecificInt(1))) &&
      word->getType()->getPrimitiveSizeInBits() == wordBits)
    return word;
  return nullptr;
}

/// Returns the bits of a constant half. What is not defined may be zero.
std::optional<uint64_t> constantBits(const Value *half) {
  if (isa<UndefValue>(half))
    return 0;
  if (auto *number = dyn_cast<ConstantInt>(half))
    return number->getValue().extractBitsAsZExtValue(halfBits, 0);
  if (auto *number = dyn_cast<ConstantFP>(half))
    return number->getValueAPF().bitcastToAPInt().getZExtValue();
  return std::nullopt;
}

/// The pairs of values that meet where ways join, behind one join of halves.
class Web {
public:
  explicit Web(const LoopInfo &loops) : loops(loops) {}

  /// Adds the pairs that the halves come from. Returns false if they would have to be joined as
  /// often as they meet.
  bool add(Halves halves);
  /// Whether a loop carries one of the pairs.
  bool isCarried() const {
    return any_of(
        words, [&](const auto &one) { return loops.isLoopHeader(one.first.first->getParent()); });
  }
  void create();
  /// Returns the word of the halves, which is joined at the end of `block` if it is none yet.
  Value *make(Halves halves, BasicBlock &block);
  /// Lets other uses take the halves from the words.
  void release();

private:
  using Pair = std::pair<PHINode *, PHINode *>;

  static std::optional<Pair> asPair(Halves halves) {
    auto *low = dyn_cast<PHINode>(halves.low), *high = dyn_cast<PHINode>(halves.high);
    if (!low || !high || low->getParent() != high->getParent())
      return std::nullopt;
    return Pair(low, high);
  }

  static Halves incoming(Pair pair, BasicBlock &block) {
    return withoutCasts({pair.first->getIncomingValueForBlock(&block),
                         pair.second->getIncomingValueForBlock(&block)});
  }

  /// Whether fewer loops lie around `from` than around another block that leads to `block`.
  bool isOutside(const BasicBlock &from, const BasicBlock &block) const {
    return any_of(predecessors(&block), [&](const BasicBlock *other) {
      return loops.getLoopDepth(other) > loops.getLoopDepth(&from);
    });
  }

  void release(PHINode &half, PHINode &word, unsigned shift);

  struct Carried {
    WeakTrackingVH half; ///< which goes with the last of its uses
    PHINode *word;
    unsigned shift;
  };

  const LoopInfo &loops;
  SmallVector<Carried> carried;
  SmallVector<WeakTrackingVH> takenHalves;
  MapVector<Pair, PHINode *> words;
};

bool Web::add(Halves halves) {
  if ((constantBits(halves.low) && constantBits(halves.high)) || wordOf(halves))
    return true;
  std::optional<Pair> pair = asPair(halves);
  if (!pair)
    return false;
  BasicBlock &block = *pair->first->getParent();
  size_t before = words.size();
  if (!words.insert({*pair, nullptr}).second)
    return true;
  bool isAdded = all_of(predecessors(&block), [&](BasicBlock *from) {
    return add(incoming(*pair, *from)) || isOutside(*from, block);
  });
  while (!isAdded && words.size() > before)
    words.pop_back();
  return isAdded;
}

Value *Web::make(Halves halves, BasicBlock &block) {
  IRBuilder<> builder(block.getTerminator());
  Type *type = builder.getInt32Ty();
  std::optional<uint64_t> low = constantBits(halves.low), high = constantBits(halves.high);
  if (low && high)
    return builder.getInt32(uint32_t(*low | *high << halfBits));
  if (Value *word = wordOf(halves))
    return builder.CreateBitCast(word, type);
  if (std::optional<Pair> pair = asPair(halves))
    if (auto found = words.find(*pair); found != words.end())
      return found->second;
  // A half that is poison, as on a way on which nobody uses it, leaves the other one as it is.
  auto bits = [&](Value *half) -> Value * {
    if (std::optional<uint64_t> known = constantBits(half))
      return builder.getInt32(uint32_t(*known));
    if (!isGuaranteedNotToBePoison(half))
      half = builder.CreateFreeze(half);
    if (isHalf(*half->getType()))
      half = builder.CreateBitCast(half, builder.getInt16Ty());
    return builder.CreateZExtOrTrunc(half, type);
  };
  Value *masked = builder.CreateAnd(bits(halves.low), halfMask);
  return builder.CreateOr(builder.CreateShl(bits(halves.high), halfBits), masked);
}

void Web::create() {
  for (auto &[pair, word] : words)
    word = PHINode::Create(Type::getInt32Ty(pair.first->getContext()),
                           pair.first->getNumIncomingValues(), "word", pair.first->getIterator());
  for (auto &[pair, word] : words) {
    carried.push_back({pair.first, word, 0});
    carried.push_back({pair.second, word, halfBits});
  }
  for (auto &[pair, word] : words)
    for (BasicBlock *from : pair.first->blocks()) {
      int known = word->getBasicBlockIndex(from); // of a switch with several ways
      word->addIncoming(
          known >= 0 ? word->getIncomingValue(known) : make(incoming(pair, *from), *from), from);
    }
}

/// Replaces the uses of a half of 16 bits. A wider value may have other bits beyond these.
void Web::release(PHINode &half, PHINode &word, unsigned shift) {
  if (!isHalf(*half.getType())) {
    RecursivelyDeleteDeadPHINode(&half);
    return;
  }
  std::map<std::pair<User *, BasicBlock *>, Value *> taken; // a merge has one value from each block
  for (Use &use : make_early_inc_range(half.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    auto *phi = dyn_cast<PHINode>(user);
    BasicBlock *from = phi ? phi->getIncomingBlock(use) : user->getParent();
    Value *&known = taken[{user, from}];
    if (!known) {
      IRBuilder<> builder(phi ? from->getTerminator() : user);
      Value *bits = shift ? builder.CreateLShr(&word, shift) : &word;
      bits = builder.CreateTrunc(bits, builder.getInt16Ty());
      known = builder.CreateBitCast(bits, half.getType());
      takenHalves.push_back(known);
    }
    use.set(known);
  }
  half.eraseFromParent();
}

void Web::release() {
  for (Carried &one : carried)
    if (auto *half = dyn_cast_or_null<PHINode>(one.half))
      release(*half, *one.word, one.shift);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(takenHalves); // of halves that are gone
}

/// Replaces what joins halves by the word that a loop carries, if it can carry one.
bool carry(Instruction &join, const LoopInfo &loops) {
  std::optional<Halves> halves = joinedBy(join);
  Web web(loops);
  if (!halves || !web.add(*halves) || !web.isCarried())
    return false;
  web.create();
  IRBuilder<> builder(&join);
  Value *word = web.make(*halves, *join.getParent());
  join.replaceAllUsesWith(builder.CreateBitCast(word, join.getType()));
  RecursivelyDeleteTriviallyDeadInstructions(&join);
  web.release();
  return true;
}

/// Returns whether both are undefined on the same ways: what merges a half where nobody uses it is
/// no half of a word that is used there.
bool areUsedAlike(const PHINode &low, const PHINode &high) {
  return all_of(low.blocks(), [&](const BasicBlock *from) {
    return isa<UndefValue>(low.getIncomingValueForBlock(from)) ==
           isa<UndefValue>(high.getIncomingValueForBlock(from));
  });
}

/// Returns what merges `half`, but for casts, where and as `low` merges others; null if nothing.
PHINode *mergedBeside(const PHINode &low, Value *half) {
  for (User *user : half->users()) {
    auto *phi = dyn_cast<PHINode>(user);
    if (phi && phi->getParent() == low.getParent() && areUsedAlike(low, *phi))
      return phi;
    if (isa<TruncInst, BitCastInst>(user))
      if (PHINode *found = mergedBeside(low, user))
        return found;
  }
  return nullptr;
}

/// Returns what merges the high halves of a word whose low halves `low` merges; null if nothing.
PHINode *partnerOf(PHINode &low) {
  for (Value *half : low.incoming_values()) {
    Value *word = withoutCasts(half);
    if (!word->getType()->isIntegerTy(wordBits) || isa<Constant>(word))
      continue;
    for (User *high : word->users())
      if (match(high, m_LShr(m_Specific(word), m_SpecificInt(halfBits))))
        if (PHINode *found = mergedBeside(low, high))
          return found;
  }
  return nullptr;
}

/// Merges words in place of the halves of words.
bool merge(PHINode &low, const LoopInfo &loops) {
  PHINode *high = isHalf(*low.getType()) ? partnerOf(low) : nullptr;
  Web web(loops);
  if (!high || !isHalf(*high->getType()) || !web.add({&low, high}))
    return false;
  web.create();
  web.release();
  return true;
}

/// What takes one half of a word, as a number with a fraction.
struct Taken {
  BitCastInst *number;
  unsigned element;
};

/// Adds what takes the lowest 16 bits of `bits`.
void addTaken(Value &bits, unsigned element, SmallVectorImpl<Taken> &taken) {
  for (User *half : bits.users())
    if (isa<TruncInst>(half) && half->getType()->isIntegerTy(halfBits))
      for (User *number : half->users())
        if (number->getType()->isFloatingPointTy())
          if (auto *cast = dyn_cast<BitCastInst>(number))
            taken.push_back({cast, element});
}

/// Takes both halves of a word at once, where a block takes both.
bool takeBoth(Value &word) {
  SmallVector<Taken> taken;
  for (User *high : word.users())
    if (match(high, m_LShr(m_Specific(&word), m_SpecificInt(halfBits))))
      addTaken(*high, 1, taken);
  if (taken.empty())
    return false;
  addTaken(word, 0, taken);
  MapVector<std::pair<BasicBlock *, Type *>, SmallVector<Taken>> places;
  for (const Taken &one : taken)
    places[{one.number->getParent(), one.number->getType()}].push_back(one);
  bool isChanged = false;
  for (auto &[place, all] : places) {
    if (all_of(all, [&](const Taken &one) { return one.element == all.front().element; }))
      continue;
    Instruction *first = all.front().number;
    for (const Taken &one : all)
      first = one.number->comesBefore(first) ? one.number : first;
    IRBuilder<> builder(first);
    Value *pair = builder.CreateBitCast(&word, FixedVectorType::get(place.second, 2));
    Value *elements[] = {builder.CreateExtractElement(pair, uint64_t(0)),
                         builder.CreateExtractElement(pair, uint64_t(1))};
    for (const Taken &one : all) {
      one.number->replaceAllUsesWith(elements[one.element]);
      RecursivelyDeleteTriviallyDeadInstructions(one.number);
    }
    isChanged = true;
  }
  return isChanged;
}

} // namespace

PreservedAnalyses regrain::nvptx::CarryWords::run(Function &function,
                                                  FunctionAnalysisManager &analyses) {
  const auto &loops = analyses.getResult<LoopAnalysis>(function);
  bool isChanged = false;
  auto forAll = [&](auto change) {
    SmallVector<WeakTrackingVH> all;
    for (Instruction &instruction : instructions(function))
      all.push_back(&instruction);
    for (WeakTrackingVH &one : all)
      if (auto *instruction = dyn_cast_or_null<Instruction>(one))
        isChanged |= change(*instruction);
  };
  forAll([&](Instruction &join) { return carry(join, loops); });
  forAll([&](Instruction &low) { return isa<PHINode>(low) && merge(cast<PHINode>(low), loops); });
  forAll([](Instruction &word) { return word.getType()->isIntegerTy(wordBits) && takeBoth(word); });
  return flowPreserved(isChanged);
}
