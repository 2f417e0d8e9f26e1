//===- ConstantArrays.cpp - Arrays of a thread that are tables ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/ConstantArrays.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// The contents of an array, as far as stores give them.
class Contents {
public:
  explicit Contents(uint64_t size) : bytes(size) {}

  /// Returns whether the store gives bytes that no other store contradicts.
  bool add(const StoreInst &store, uint64_t offset, const DataLayout &layout) {
    const auto *value = dyn_cast<Constant>(store.getValueOperand());
    return value && add(*value, offset, layout);
  }

  /// Returns a constant with these bytes. Those that no store gave may be anything.
  Constant *constant(LLVMContext &context) const {
    SmallVector<uint8_t> values;
    for (const std::optional<uint8_t> &byte : bytes)
      values.push_back(byte.value_or(0));
    return ConstantDataArray::get(context, values);
  }

private:
  bool add(const Constant &value, uint64_t offset, const DataLayout &layout) {
    Type *type = value.getType();
    if (auto *vector = dyn_cast<FixedVectorType>(type)) {
      uint64_t size = layout.getTypeStoreSize(vector->getElementType());
      for (unsigned index = 0; index < vector->getNumElements(); ++index) {
        const Constant *element = value.getAggregateElement(index);
        if (!element || !add(*element, offset + index * size, layout))
          return false;
      }
      return true;
    }
    if (auto *number = dyn_cast<ConstantInt>(&value))
      return add(number->getValue(), offset);
    auto *number = dyn_cast<ConstantFP>(&value);
    return number && add(number->getValueAPF().bitcastToAPInt(), offset);
  }

  bool add(const APInt &bits, uint64_t offset) {
    unsigned size = bits.getBitWidth() / 8;
    if (bits.getBitWidth() % 8 || offset > bytes.size() || size > bytes.size() - offset)
      return false;
    for (unsigned index = 0; index < size; ++index) {
      uint8_t byte = bits.extractBitsAsZExtValue(8, index * 8);
      std::optional<uint8_t> &place = bytes[offset + index];
      if (place && *place != byte)
        return false;
      place = byte;
    }
    return true;
  }

  std::vector<std::optional<uint8_t>> bytes;
};

/// What is done with the address of an array.
struct Uses {
  Contents contents;
  SmallVector<Instruction *> writes; ///< stores, and the beginnings and ends of its life
  bool isIndexed = false;            ///< whether a place is not constant

  explicit Uses(uint64_t size) : contents(size) {}

  /// Takes the uses of `pointer`, which is `offset` bytes into the array, or anywhere in it.
  /// Returns whether only plain loads, and stores of constants to constant places, use it.
  bool take(Value &pointer, std::optional<uint64_t> offset, const DataLayout &layout) {
    return all_of(pointer.uses(), [&](const Use &use) {
      auto *user = cast<Instruction>(use.getUser());
      if (auto *address = dyn_cast<GetElementPtrInst>(user)) {
        APInt more(layout.getIndexTypeSizeInBits(address->getType()), 0);
        bool isConstant = offset && address->accumulateConstantOffset(layout, more);
        isIndexed |= !isConstant;
        return take(*address,
                    isConstant ? std::optional(*offset + more.getSExtValue()) : std::nullopt,
                    layout);
      }
      if (auto *load = dyn_cast<LoadInst>(user))
        return load->isSimple();
      if (isa<LifetimeIntrinsic>(user)) {
        writes.push_back(user);
        return true;
      }
      auto *store = dyn_cast<StoreInst>(user);
      if (!store || !store->isSimple() || !offset ||
          use.getOperandNo() != StoreInst::getPointerOperandIndex())
        return false;
      writes.push_back(store);
      return contents.add(*store, *offset, layout);
    });
  }
};

/// Returns a constant of the module with the bytes.
GlobalVariable *constantWith(Constant *bytes, Align alignment, Module &module) {
  for (GlobalVariable &other : module.globals())
    if (other.isConstant() && other.hasPrivateLinkage() && other.hasGlobalUnnamedAddr() &&
        other.hasInitializer() && other.getInitializer() == bytes &&
        other.getAddressSpace() == globalSpace) {
      other.setAlignment(std::max(other.getAlign().valueOrOne(), alignment));
      return &other;
    }
  auto *table =
      new GlobalVariable(module, bytes->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage,
                         bytes, "regrain.table", nullptr, GlobalValue::NotThreadLocal, globalSpace);
  table->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  table->setAlignment(alignment);
  return table;
}

/// Returns whether the array is a constant now.
bool replace(AllocaInst &array) {
  Module &module = *array.getModule();
  const DataLayout &layout = module.getDataLayout();
  std::optional<TypeSize> size = array.getAllocationSize(layout);
  if (!array.isStaticAlloca() || !size || size->isScalable())
    return false;
  Uses uses(size->getFixedValue());
  if (!uses.take(array, 0, layout) || !uses.isIndexed)
    return false;
  for (Instruction *write : uses.writes)
    write->eraseFromParent();
  Constant *bytes = uses.contents.constant(module.getContext());
  GlobalVariable *table = constantWith(bytes, array.getAlign(), module);
  array.replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(table, array.getType()));
  array.eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses ConstantArrays::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<AllocaInst *> arrays;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *array = dyn_cast<AllocaInst>(&instruction))
      arrays.push_back(array);
  bool isChanged = false;
  for (AllocaInst *array : arrays)
    isChanged |= replace(*array);
  return flowPreserved(isChanged);
}

} // namespace regrain::nvptx
