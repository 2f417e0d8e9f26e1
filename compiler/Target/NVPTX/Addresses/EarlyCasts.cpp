//===- EarlyCasts.cpp - Casts to shared memory, before offsets ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Addresses/EarlyCasts.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::nvptx {
namespace {

bool isSharedCast(const Value *value) {
  auto *cast = dyn_cast<AddrSpaceCastInst>(value);
  return cast && cast->getSrcAddressSpace() == genericSpace &&
         cast->getDestAddressSpace() == sharedSpace;
}

/// Returns the step whose offset can be added behind the cast; null if there is none.
GetElementPtrInst *stepOf(AddrSpaceCastInst &cast) {
  auto *step = dyn_cast<GetElementPtrInst>(cast.getPointerOperand());
  return step && !step->getType()->isVectorTy() && all_of(step->users(), isSharedCast) ? step
                                                                                       : nullptr;
}

class Casts {
public:
  explicit Casts(Function &function)
      : function(function), layout(function.getParent()->getDataLayout()) {}

  void add(AddrSpaceCastInst &cast) { all.push_back(&cast); }

  /// Casts are looked at again, because what needed a generic sum may have become a cast of it.
  bool castEarly() {
    bool isChanged = false;
    for (bool again = true; again; isChanged |= again) {
      again = false;
      for (size_t next = 0; next < all.size(); ++next)
        if (auto *one = cast_or_null<AddrSpaceCastInst>(all[next]))
          if (GetElementPtrInst *step = stepOf(*one)) {
            castFirst(*one, *step);
            again = true;
          }
    }
    return isChanged;
  }

private:
  /// Casts what `step` begins at, and adds its offset.
  void castFirst(AddrSpaceCastInst &cast, GetElementPtrInst &step) {
    WeakTrackingVH &base = bases[step.getPointerOperand()];
    if (!base) {
      AddrSpaceCastInst *first = castOf(*step.getPointerOperand(), cast.getType(), cast);
      all.push_back(first); // which may have a step in front of it
      base = first;
    }
    IRBuilder<> builder(&cast);
    Value *sum = builder.CreatePtrAdd(base, offset(builder, step), step.getName());
    cast.replaceAllUsesWith(sum);
    cast.eraseFromParent();
    if (step.use_empty())
      step.eraseFromParent();
  }

  /// The cast stands where the pointer is known, in front of loops that add to it.
  AddrSpaceCastInst *castOf(Value &pointer, Type *type, Instruction &user) {
    auto place = user.getIterator();
    if (auto *defined = dyn_cast<Instruction>(&pointer)) {
      if (auto behind = defined->getInsertionPointAfterDef())
        place = *behind;
    } else {
      place = function.getEntryBlock().getFirstInsertionPt();
    }
    return new AddrSpaceCastInst(&pointer, type, pointer.getName(), place);
  }

  /// Returns the offset of a step in 32 bits.
  Value *offset(IRBuilder<> &builder, GetElementPtrInst &step) {
    Type *narrow = builder.getInt32Ty();
    Value *sum = builder.getInt32(0);
    for (auto index = gep_type_begin(step); index != gep_type_end(step); ++index) {
      Value *number = index.getOperand(), *whole = nullptr;
      if (StructType *structure = index.getStructTypeOrNull()) {
        unsigned field = unsigned(cast<ConstantInt>(number)->getZExtValue());
        uint64_t bytes = layout.getStructLayout(structure)->getElementOffset(field);
        sum = builder.CreateAdd(sum, builder.getInt32(uint32_t(bytes)));
        continue;
      }
      if (match(number, m_ZExtOrSExt(m_Value(whole))) && whole->getType() == narrow)
        number = whole;
      uint64_t bytes = index.getSequentialElementStride(layout).getFixedValue();
      number = builder.CreateSExtOrTrunc(number, narrow);
      sum = builder.CreateAdd(sum, builder.CreateMul(number, builder.getInt32(uint32_t(bytes))));
    }
    return sum;
  }

  Function &function;
  const DataLayout &layout;
  SmallVector<WeakVH> all;
  DenseMap<Value *, WeakTrackingVH> bases;
};

} // namespace

PreservedAnalyses CastEarly::run(Function &function, FunctionAnalysisManager &) {
  Casts casts(function);
  for (Instruction &instruction : instructions(function))
    if (isSharedCast(&instruction))
      casts.add(cast<AddrSpaceCastInst>(instruction));
  return flowPreserved(casts.castEarly());
}

} // namespace regrain::nvptx
