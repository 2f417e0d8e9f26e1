//===- ByteProducts.cpp - Sums of products of bytes -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Arithmetic/ByteProducts.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include <array>
#include <optional>
#include <tuple>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::nvptx {
namespace {

constexpr unsigned bytesOfWord = 4;

/// One byte of a word, extended to 32 bits.
struct Byte {
  Value *word; ///< i32 or <4 x i8>
  unsigned place;
  bool isSigned;
};

/// Returns the place of the byte that a shift by that many bits brings to the lowest one.
std::optional<unsigned> placeOf(uint64_t bits) {
  return bits % 8 == 0 && bits < 32 ? std::optional<unsigned>(unsigned(bits / 8)) : std::nullopt;
}

/// Returns which byte of which word is the lowest byte of `value`.
Byte lowestByte(Value *value) {
  Value *word = nullptr;
  uint64_t bits = 0;
  if (match(value, m_Shr(m_Value(word), m_ConstantInt(bits))))
    if (std::optional<unsigned> place = placeOf(bits))
      return {word, *place, false};
  return {value, 0, false};
}

/// Returns the byte that is extended from a number of 8 bits.
std::optional<Byte> extendedByte(Value *narrow, bool isSigned) {
  Value *wide = nullptr;
  uint64_t place = 0;
  if (match(narrow, m_Trunc(m_Value(wide))) && wide->getType()->isIntegerTy(32)) {
    Byte byte = lowestByte(wide);
    return Byte{byte.word, byte.place, isSigned};
  }
  auto isWord = [](const Type *type) {
    auto *vector = dyn_cast<FixedVectorType>(type);
    return vector && vector->getNumElements() == bytesOfWord;
  };
  if (match(narrow, m_ExtractElt(m_Value(wide), m_ConstantInt(place))) && place < bytesOfWord &&
      isWord(wide->getType()))
    return Byte{wide, unsigned(place), isSigned};
  return std::nullopt;
}

/// Returns the byte that a number of 32 bits is.
std::optional<Byte> byteOf(Value *value) {
  Value *part = nullptr;
  uint64_t bits = 0;
  bool isOfByte = match(value, m_ZExtOrSExt(m_Value(part))) && part->getType()->isIntegerTy(8);
  if (isOfByte)
    return extendedByte(part, isa<SExtInst>(value));
  if (match(value, m_c_And(m_Value(part), m_SpecificInt(255)))) {
    Byte byte = lowestByte(part);
    return Byte{byte.word, byte.place, false};
  }
  if (match(value, m_AShr(m_Shl(m_Value(part), m_ConstantInt(bits)), m_SpecificInt(24))))
    if (std::optional<unsigned> left = placeOf(bits))
      return Byte{part, bytesOfWord - 1 - *left, true};
  if (match(value, m_Shr(m_Value(part), m_SpecificInt(24))))
    return Byte{part, bytesOfWord - 1, match(value, m_AShr(m_Value(), m_Value()))};
  return std::nullopt;
}

/// Words of which bytes in the same places are multiplied, and how their bytes are extended.
using Words = std::tuple<Value *, unsigned, Value *, unsigned>;

/// Returns the words and the place of a product of two bytes.
std::optional<std::pair<Words, unsigned>> productOf(Value *value) {
  Value *left = nullptr, *right = nullptr;
  if (!match(value, m_OneUse(m_Mul(m_Value(left), m_Value(right)))))
    return std::nullopt;
  std::optional<Byte> a = byteOf(left), b = byteOf(right);
  if (!a || !b || a->place != b->place)
    return std::nullopt;
  return std::pair(Words(a->word, a->isSigned, b->word, b->isSigned), a->place);
}

bool isSum(const Value *value) { return match(value, m_Add(m_Value(), m_Value())); }

/// Returns whether the sum is part of a larger one in its block.
bool isPart(const Instruction &sum) {
  return sum.hasOneUse() && isSum(sum.user_back()) &&
         sum.user_back()->getParent() == sum.getParent();
}

/// The terms of a sum, in the order of the program.
class Sum {
public:
  explicit Sum(Instruction &root) : root(root) { collect(root); }

  bool join() {
    SmallPtrSet<Value *, 16> joined;
    SmallVector<Words> whole;
    for (auto &[words, products] : groups)
      if (all_of(products, [](Value *product) { return product; })) {
        whole.push_back(words);
        joined.insert(products.begin(), products.end());
      }
    if (whole.empty())
      return false;
    IRBuilder<> builder(&root);
    Value *sum = nullptr;
    for (Value *term : terms)
      if (!joined.contains(term))
        sum = sum ? builder.CreateAdd(sum, term) : term;
    if (!sum)
      sum = builder.getInt32(0);
    for (const Words &words : whole)
      sum = createProducts(builder, words, sum);
    root.replaceAllUsesWith(sum);
    RecursivelyDeleteTriviallyDeadInstructions(&root);
    return true;
  }

private:
  void collect(Instruction &sum) {
    for (Value *operand : sum.operands()) {
      auto *part = dyn_cast<Instruction>(operand);
      if (part && isSum(part) && isPart(*part)) {
        collect(*part);
        continue;
      }
      terms.push_back(operand);
      if (auto product = productOf(operand)) {
        auto [a, isASigned, b, isBSigned] = product->first;
        Words swapped(b, isBSigned, a, isASigned);
        bool isSwapped = groups.contains(swapped);
        Value *&place = groups[isSwapped ? swapped : product->first][product->second];
        if (!place) // a second product of the same bytes remains a product
          place = operand;
      }
    }
  }

  static Value *createProducts(IRBuilder<> &builder, const Words &words, Value *sum) {
    auto [a, isASigned, b, isBSigned] = words;
    auto typeOf = [](bool isSigned) { return isSigned ? ".s32" : ".u32"; };
    std::string text =
        std::string("dp4a") + typeOf(isASigned) + typeOf(isBSigned) + " $0, $1, $2, $3;";
    Type *word = builder.getInt32Ty();
    auto *type = FunctionType::get(word, {word, word, word}, /*isVarArg=*/false);
    InlineAsm *assembly = InlineAsm::get(type, text, "=r,r,r,r", /*hasSideEffects=*/false);
    return builder.CreateCall(
        assembly, {builder.CreateBitCast(a, word), builder.CreateBitCast(b, word), sum});
  }

  Instruction &root;
  SmallVector<Value *> terms;
  MapVector<Words, std::array<Value *, bytesOfWord>> groups;
};

struct JoinByteProducts final : FunctionPass {
  static char ID;
  unsigned capability;
  explicit JoinByteProducts(unsigned capability) : FunctionPass(ID), capability(capability) {}

  // What follows uses results of the stack protector, which this leaves as they are.
  void getAnalysisUsage(AnalysisUsage &usage) const override { usage.setPreservesAll(); }
  bool runOnFunction(Function &function) override { return joinByteProducts(function, capability); }
};

char JoinByteProducts::ID = 0;

} // namespace

bool joinByteProducts(Function &function, unsigned capability) {
  constexpr unsigned firstWithInstruction = 61;
  if (capability < firstWithInstruction)
    return false;
  SmallVector<WeakVH> sums;
  for (Instruction &instruction : instructions(function))
    if (isSum(&instruction) && instruction.getType()->isIntegerTy(32) && !isPart(instruction))
      sums.emplace_back(&instruction);
  bool isChanged = false;
  for (WeakVH &sum : sums)
    if (auto *root = dyn_cast_or_null<Instruction>(sum))
      isChanged |= Sum(*root).join();
  return isChanged;
}

FunctionPass *createJoinByteProducts(unsigned capability) {
  return new JoinByteProducts(capability);
}

} // namespace regrain::nvptx
