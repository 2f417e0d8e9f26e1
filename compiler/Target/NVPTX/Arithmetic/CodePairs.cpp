//===- CodePairs.cpp - Conversions of pairs of 8-bit numbers --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Arithmetic/CodePairs.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// What an instruction in inline PTX converts.
enum class Conversion {
  None,
  FromFloats, ///< two floats to two codes
  FromHalves, ///< two halves in 32 bits to two codes
  ToHalves,   ///< two codes to two halves in 32 bits
};

/// Returns the conversion that the call is, by the text of the instruction. The first operand of
/// the PTX instruction is the upper half.
Conversion conversionOf(const CallInst &call) {
  auto *code = dyn_cast<InlineAsm>(call.getCalledOperand());
  if (!code || code->hasSideEffects())
    return Conversion::None;
  StringRef text = code->getAsmString();
  text = text.trim(" \t\n{}");
  auto isOf = [&](StringRef begin, StringRef end, StringRef constraints) {
    StringRef rest = text;
    return rest.consume_front(begin) && rest.consume_back(end) &&
           (rest == "e4m3" || rest == "e5m2") && code->getConstraintString() == constraints;
  };
  if (isOf("cvt.rn.satfinite.", "x2.f32 $0, $2, $1;", "=h,f,f"))
    return Conversion::FromFloats;
  if (isOf("cvt.rn.satfinite.", "x2.f16x2 $0, $1;", "=h,r"))
    return Conversion::FromHalves;
  return isOf("cvt.rn.f16x2.", "x2 $0, $1;", "=r,h") ? Conversion::ToHalves : Conversion::None;
}

/// Returns whether the call converts one half: the other is 0, so that another one can be put
/// there.
bool hasZeroAbove(const CallInst &call, const DataLayout &layout) {
  const Value *halves = call.getArgOperand(0);
  unsigned bits = halves->getType()->getIntegerBitWidth();
  return computeKnownBits(halves, layout).countMinLeadingZeros() >= bits / 2;
}

/// Returns the call with other operands.
CallInst *callLike(IRBuilder<> &builder, const CallInst &call, ArrayRef<Value *> operands) {
  CallInst *other = builder.CreateCall(cast<InlineAsm>(call.getCalledOperand()), operands);
  other->setAttributes(call.getAttributes());
  return other;
}

/// Returns a call that converts what `low` and `high` convert in their lower halves. Integers have
/// nothing above those.
CallInst *pairOf(IRBuilder<> &builder, const CallInst &low, const CallInst &high,
                 Conversion conversion) {
  Value *first = low.getArgOperand(0), *second = high.getArgOperand(0);
  if (conversion == Conversion::FromFloats)
    return callLike(builder, low, {first, second});
  unsigned half = first->getType()->getIntegerBitWidth() / 2;
  return callLike(builder, low, {builder.CreateOr(first, builder.CreateShl(second, half))});
}

/// Removes the calls that nothing uses any more, and what only they used.
void removeUnused(ArrayRef<CallInst *> calls) {
  for (CallInst *call : calls) {
    if (!call->use_empty())
      continue;
    SmallVector<WeakTrackingVH> operands(call->args());
    call->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(operands);
  }
}

/// One number: a scalar, or an element of a vector.
struct Number {
  Value *value;
  std::optional<unsigned> lane = std::nullopt;
};

/// Returns the lane of an element that is inserted or extracted; nothing if it is not known.
std::optional<unsigned> laneOf(const Value *index) {
  auto *constant = dyn_cast<ConstantInt>(index);
  return constant ? std::optional<unsigned>(constant->getZExtValue()) : std::nullopt;
}

/// Follows a number back by one step: through vectors, and through conversions that keep its lower
/// eight bits. Returns nothing at its origin.
std::optional<Number> stepBack(const Number &number) {
  auto *step = dyn_cast<Instruction>(number.value);
  auto isOfByte = [](const Value *value) { return value->getType()->getScalarSizeInBits() >= 8; };
  if (auto *conversion = dyn_cast_or_null<CastInst>(step);
      conversion && isa<ZExtInst, TruncInst>(conversion) && isOfByte(conversion) &&
      isOfByte(conversion->getOperand(0)))
    return Number{conversion->getOperand(0), number.lane};
  if (auto *extract = dyn_cast_or_null<ExtractElementInst>(step))
    if (std::optional<unsigned> lane = laneOf(extract->getIndexOperand()); lane && !number.lane)
      return Number{extract->getVectorOperand(), lane};
  if (auto *insert = dyn_cast_or_null<InsertElementInst>(step); insert && number.lane)
    if (std::optional<unsigned> lane = laneOf(insert->getOperand(2)))
      return lane == number.lane ? Number{insert->getOperand(1)}
                                 : Number{insert->getOperand(0), number.lane};
  if (auto *shuffle = dyn_cast_or_null<ShuffleVectorInst>(step); shuffle && number.lane) {
    int from = shuffle->getMaskValue(*number.lane);
    auto *type = dyn_cast<FixedVectorType>(shuffle->getOperand(0)->getType());
    if (from >= 0 && type) {
      unsigned count = type->getNumElements(), lane = unsigned(from);
      return Number{shuffle->getOperand(lane / count), lane % count};
    }
  }
  return std::nullopt;
}

Number originOf(Number number) {
  while (std::optional<Number> before = stepBack(number))
    number = *before;
  return number;
}

bool areAlike(ArrayRef<CallInst *> calls) {
  return all_of(calls, [&](const CallInst *call) {
    return call && call->getCalledOperand() == calls.front()->getCalledOperand() &&
           call->getParent() == calls.front()->getParent();
  });
}

/// Returns the conversions, in the store's block, whose lower codes are the elements that it
/// stores, with no other use; empty if some element is anything else.
SmallVector<CallInst *> conversionsTo(const StoreInst &store, unsigned count,
                                      const DataLayout &layout) {
  SmallVector<CallInst *> calls;
  for (unsigned lane = 0; lane < count; ++lane) {
    Number origin = originOf({const_cast<Value *>(store.getValueOperand()), lane});
    auto *call = origin.lane ? nullptr : dyn_cast<CallInst>(origin.value);
    Conversion conversion = call ? conversionOf(*call) : Conversion::None;
    bool isEncoding = conversion == Conversion::FromFloats ||
                      (conversion == Conversion::FromHalves && hasZeroAbove(*call, layout));
    if (!isEncoding || !call->hasOneUse() || call->getParent() != store.getParent())
      return {};
    calls.push_back(call);
  }
  return areAlike(calls) ? calls : SmallVector<CallInst *>();
}

/// Returns whether a vector of so many bytes is one access to 16 bits, or to one, two or four words
/// of 32 bits.
bool isWholeAccess(unsigned bytes) { return bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16; }

/// Returns the type of a vector of bytes as words of 32 bits, or as one number of 16.
Type *wordsFor(LLVMContext &context, unsigned bytes) {
  if (bytes <= 4)
    return IntegerType::get(context, 8 * bytes);
  return FixedVectorType::get(IntegerType::get(context, 32), bytes / 4);
}

/// Returns whether the access is one to a vector of bytes, aligned as a whole.
template <typename Access> bool isOfBytes(const Access &access, const Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return access.isSimple() && vector && vector->getElementType()->isIntegerTy(8) &&
         isWholeAccess(vector->getNumElements()) && access.getAlign() >= vector->getNumElements();
}

/// Converts the elements of a stored vector in pairs. All of it happens at the store, which every
/// operand dominates.
bool pairStored(StoreInst &store, const DataLayout &layout) {
  Value *vector = store.getValueOperand();
  if (!isOfBytes(store, vector->getType()))
    return false;
  SmallVector<CallInst *> calls =
      conversionsTo(store, cast<FixedVectorType>(vector->getType())->getNumElements(), layout);
  if (calls.empty())
    return false;
  IRBuilder<> builder(&store);
  Conversion conversion = conversionOf(*calls.front());
  SmallVector<Value *> pairs;
  for (size_t i = 0; i < calls.size(); i += 2)
    pairs.push_back(pairOf(builder, *calls[i], *calls[i + 1], conversion));
  Type *type = wordsFor(store.getContext(), calls.size());
  auto wordAt = [&](size_t at) {
    Type *word = builder.getInt32Ty();
    return builder.CreateOr(builder.CreateZExt(pairs[at], word),
                            builder.CreateShl(builder.CreateZExt(pairs[at + 1], word), 16));
  };
  Value *words = pairs.front();
  if (type->isVectorTy()) {
    words = PoisonValue::get(type);
    for (size_t i = 0; i < pairs.size(); i += 2)
      words = builder.CreateInsertElement(words, wordAt(i), i / 2);
  } else if (pairs.size() > 1) {
    words = wordAt(0);
  }
  store.setOperand(0, words);
  SmallVector<WeakTrackingVH> unused(calls.begin(), calls.end());
  RecursivelyDeleteTriviallyDeadInstructions(vector);
  for (WeakTrackingVH &call : unused)
    if (call)
      removeUnused(cast<CallInst>(call));
  return true;
}

/// Loads of vectors, and the conversions to halves of their elements; null where there is none.
using LoadedCodes = MapVector<LoadInst *, SmallVector<CallInst *>>;

/// Adds the call if it is the first that converts an element of a loaded vector. A byte that was
/// widened has nothing above it.
void addLoaded(CallInst &call, LoadedCodes &loaded) {
  if (conversionOf(call) != Conversion::ToHalves)
    return;
  Number origin = originOf({call.getArgOperand(0)});
  auto *load = dyn_cast<LoadInst>(origin.value);
  if (!load || !origin.lane || !isOfBytes(*load, load->getType()) ||
      load->getParent() != call.getParent())
    return;
  SmallVector<CallInst *> &calls = loaded[load];
  calls.resize(cast<FixedVectorType>(load->getType())->getNumElements());
  if (!calls[*origin.lane])
    calls[*origin.lane] = &call;
}

/// Converts the elements of a loaded vector in pairs, at the load.
void pairLoaded(LoadInst &load, ArrayRef<CallInst *> calls) {
  IRBuilder<> builder(&load);
  Type *type = wordsFor(load.getContext(), calls.size());
  LoadInst *words = builder.CreateAlignedLoad(type, load.getPointerOperand(), load.getAlign());
  constexpr unsigned kept[] = {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
                               LLVMContext::MD_noalias, LLVMContext::MD_invariant_load,
                               LLVMContext::MD_nontemporal};
  words->copyMetadata(load, kept);
  for (size_t i = 0; i < calls.size(); i += 2) {
    Value *word = type->isVectorTy() ? builder.CreateExtractElement(words, i / 4) : words;
    Value *codes =
        builder.CreateTrunc(i % 4 ? builder.CreateLShr(word, 16) : word, builder.getInt16Ty());
    CallInst *pair = callLike(builder, *calls[i], {codes});
    calls[i]->replaceAllUsesWith(builder.CreateAnd(pair, 0xffff));
    calls[i + 1]->replaceAllUsesWith(builder.CreateLShr(pair, 16));
  }
  removeUnused(calls);
}

} // namespace

bool pairCodes(Function &function) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  SmallVector<StoreInst *> stores;
  LoadedCodes loaded;
  for (Instruction &instruction : instructions(function))
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      stores.push_back(store);
    else if (auto *call = dyn_cast<CallInst>(&instruction))
      addLoaded(*call, loaded);
  bool isChanged = false;
  for (auto &[load, calls] : loaded)
    if (areAlike(calls)) {
      pairLoaded(*load, calls);
      isChanged = true;
    }
  for (StoreInst *store : stores)
    isChanged |= pairStored(*store, layout);
  return isChanged;
}

} // namespace regrain::nvptx
