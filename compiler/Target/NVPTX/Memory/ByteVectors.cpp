//===- ByteVectors.cpp - Accesses to vectors of bytes ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/ByteVectors.h"

#include "compiler/Target/NVPTX/Arithmetic/CodePairs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Pass.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

constexpr unsigned wordBytes = 8, halfBytes = 4; ///< of 64 and of 32 bits

/// What holds for the bytes of an access, whatever type it has.
constexpr unsigned keptMetadata[] = {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
                                     LLVMContext::MD_noalias, LLVMContext::MD_invariant_load,
                                     LLVMContext::MD_nontemporal};

/// Returns the bytes of a vector of bytes that fills words, or 0 for other types.
unsigned bytesOf(const Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector || !vector->getElementType()->isIntegerTy(8))
    return 0;
  unsigned bytes = vector->getNumElements();
  return bytes == wordBytes || bytes == 2 * wordBytes ? bytes : 0;
}

/// Returns four bytes of a vector as a number of 64 bits.
Value *halfOf(IRBuilder<> &builder, Value *vector, unsigned first) {
  auto lanes = to_vector(seq<int>(first, first + halfBytes));
  Value *half = builder.CreateShuffleVector(vector, lanes);
  return builder.CreateZExt(builder.CreateBitCast(half, builder.getInt32Ty()),
                            builder.getInt64Ty());
}

Value *wordOf(IRBuilder<> &builder, Value *vector, unsigned first) {
  Value *high = builder.CreateShl(halfOf(builder, vector, first + halfBytes), 8 * halfBytes);
  return builder.CreateOr(halfOf(builder, vector, first), high);
}

void widen(StoreInst &store, unsigned bytes) {
  IRBuilder<> builder(&store);
  Value *vector = store.getValueOperand(), *words = wordOf(builder, vector, 0);
  if (bytes > wordBytes) {
    auto *type = FixedVectorType::get(builder.getInt64Ty(), 2);
    Value *first = builder.CreateInsertElement(PoisonValue::get(type), words, uint64_t(0));
    words = builder.CreateInsertElement(first, wordOf(builder, vector, wordBytes), uint64_t(1));
  }
  StoreInst *wide = builder.CreateAlignedStore(words, store.getPointerOperand(), store.getAlign());
  wide->copyMetadata(store, keptMetadata);
  store.eraseFromParent();
}

void widen(LoadInst &load) {
  IRBuilder<> builder(&load);
  LoadInst *word =
      builder.CreateAlignedLoad(builder.getInt64Ty(), load.getPointerOperand(), load.getAlign());
  word->copyMetadata(load, keptMetadata);
  auto *half = FixedVectorType::get(builder.getInt8Ty(), halfBytes);
  auto bytesFrom = [&](Value *shifted) {
    return builder.CreateBitCast(builder.CreateTrunc(shifted, builder.getInt32Ty()), half);
  };
  Value *low = bytesFrom(word), *high = bytesFrom(builder.CreateLShr(word, 8 * halfBytes));
  auto lanes = to_vector(seq<int>(0, wordBytes));
  load.replaceAllUsesWith(builder.CreateShuffleVector(low, high, lanes));
  load.eraseFromParent();
}

/// The passes for LLVM's code generator, which has passes of the old kind.
class PairCodes : public FunctionPass {
public:
  static char ID;
  PairCodes() : FunctionPass(ID) {}
  bool runOnFunction(Function &function) override {
    bool isAsked = function.getFnAttribute("regrain-arithmetic").getValueAsString() == "packed";
    return isAsked && pairCodes(function);
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override { usage.setPreservesCFG(); }
  StringRef getPassName() const override { return "Conversions of pairs"; }
};

class WidenByteVectors : public FunctionPass {
public:
  static char ID;
  WidenByteVectors() : FunctionPass(ID) {}
  bool runOnFunction(Function &function) override { return widenByteVectors(function); }
  void getAnalysisUsage(AnalysisUsage &usage) const override { usage.setPreservesCFG(); }
  StringRef getPassName() const override { return "Accesses to vectors of bytes"; }
};

char PairCodes::ID;
char WidenByteVectors::ID;

} // namespace

bool widenByteVectors(Function &function) {
  bool isChanged = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (unsigned bytes =
            store && store->isSimple() ? bytesOf(store->getValueOperand()->getType()) : 0;
        bytes && store->getAlign() >= bytes) {
      widen(*store, bytes);
      isChanged = true;
    } else if (load && load->isSimple() && bytesOf(load->getType()) == wordBytes &&
               load->getAlign() >= wordBytes) {
      widen(*load);
      isChanged = true;
    }
  }
  return isChanged;
}

void CodeGenPasses::add(Pass *pass) {
  bool isVectoriser = pass->getPassName() == "GPU Load and Store Vectorizer";
  legacy::PassManager::add(pass);
  if (!isVectoriser)
    return;
  legacy::PassManager::add(new PairCodes());
  legacy::PassManager::add(new WidenByteVectors());
}

} // namespace regrain::nvptx
