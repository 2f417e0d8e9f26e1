//===- GapLoads.cpp - Loads with gaps as one access -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/GapLoads.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

constexpr int64_t lanes = 4; ///< of an access

struct Part {
  LoadInst *load;
  unsigned lane;
};

/// An object that exists as a whole: a variable, or an element of an array.
struct Object {
  const Value *base = nullptr; ///< the variable, or the address of the array; null: no such object
  SmallVector<const Value *, 2> indices = {}; ///< of the element
  Type *type = nullptr;
  friend bool operator==(const Object &, const Object &) = default;
};

/// The loads from one piece of memory that an access covers.
struct Group {
  Object object;
  int64_t laneBytes; ///< 1, 2 or 4
  int64_t number;    ///< of the access in the object
  unsigned addressSpace;
  SmallVector<Part, 4> parts = {};

  uint64_t accessBytes() const { return laneBytes * lanes; }
};
using Groups = SmallVector<Group>;

/// Splits a GEP behind its last index that is not constant. Returns the element there and the
/// rest's offset in bytes.
std::pair<Object, int64_t> elementOf(const GEPOperator &address, const DataLayout &layout) {
  SmallVector<Value *> within(address.indices());
  auto isVariable = [](const Value *index) { return !isa<ConstantInt>(index); };
  size_t count = within.end() - find_if(reverse(within), isVariable).base();
  size_t split = std::max<size_t>(within.size() - count, 1);
  ArrayRef<Value *> leading = ArrayRef<Value *>(within).take_front(split);
  Type *type = GetElementPtrInst::getIndexedType(address.getSourceElementType(), leading);
  Object object = {address.getPointerOperand(), {leading.begin(), leading.end()}, type};
  SmallVector<Value *> rest = {ConstantInt::get(within.front()->getType(), 0)};
  append_range(rest, drop_begin(within, split));
  return {std::move(object),
          type && type->isSized() ? layout.getIndexedOffsetInType(type, rest) : 0};
}

/// Returns the object in which `address` lies, and its offset there in bytes.
std::pair<Object, int64_t> objectOf(const Value *address, const DataLayout &layout) {
  APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  address = address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/false);
  if (auto *variable = dyn_cast<GlobalVariable>(address))
    return {{variable, {}, variable->getValueType()}, offset.getSExtValue()};
  auto *element = dyn_cast<GEPOperator>(address);
  if (!element || !element->isInBounds())
    return {};
  auto [object, within] = elementOf(*element, layout);
  return {std::move(object), within + offset.getSExtValue()};
}

/// Returns whether LLVM's vectoriser would leave an access more than necessary.
bool hasGap(ArrayRef<Part> parts) {
  unsigned read = 0;
  for (const Part &part : parts)
    read |= 1u << part.lane;
  constexpr unsigned low = 0b0011, high = 0b1100, all = 0b1111;
  return popcount(read) > 1 && read != low && read != high && read != all;
}

bool isAligned(const Group &group) {
  auto *variable = dyn_cast<GlobalVariable>(group.object.base);
  bool isVariable = variable && group.object.indices.empty();
  return (isVariable && variable->getAlign().valueOrOne() >= group.accessBytes()) ||
         any_of(group.parts, [&](const Part &part) {
           return part.lane == 0 && part.load->getAlign() >= group.accessBytes();
         });
}

/// Puts one access in the place of the first load.
void join(const Group &group) {
  ArrayRef<Part> parts = group.parts;
  LoadInst *first = parts.front().load;
  IRBuilder<> builder(first);
  Value *address = first->getPointerOperand();
  if (int64_t back = -int64_t(parts.front().lane) * group.laneBytes)
    address = builder.CreateInBoundsGEP(builder.getInt8Ty(), address, builder.getInt64(back));
  auto *type = FixedVectorType::get(builder.getIntNTy(8 * group.laneBytes), lanes);
  LoadInst *wide = builder.CreateAlignedLoad(type, address, Align(group.accessBytes()));
  bool isInvariant = all_of(parts, [](const Part &part) {
    return part.load->hasMetadata(LLVMContext::MD_invariant_load);
  });
  if (isInvariant)
    wide->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  for (const Part &part : parts) {
    Value *lane = builder.CreateExtractElement(wide, uint64_t(part.lane));
    part.load->replaceAllUsesWith(builder.CreateBitCast(lane, part.load->getType()));
  }
  for (const Part &part : parts)
    part.load->eraseFromParent();
}

/// Returns the bytes of a load that can be a lane, 0 for others.
int64_t laneBytesOf(const LoadInst &load) {
  const Type *type = load.getType();
  unsigned bits =
      type->isIntegerTy() || type->isFloatingPointTy() ? type->getScalarSizeInBits() : 0;
  return load.isSimple() && is_contained({8u, 16u, 32u}, bits) ? bits / 8 : 0;
}

void add(Groups &groups, LoadInst &load, int64_t laneBytes, const DataLayout &layout) {
  auto [object, offset] = objectOf(load.getPointerOperand(), layout);
  int64_t accessBytes = laneBytes * lanes, number = offset / accessBytes;
  if (!object.type || !object.type->isSized() || offset < 0 || offset % laneBytes != 0 ||
      uint64_t(number + 1) * accessBytes > layout.getTypeAllocSize(object.type))
    return;
  unsigned space = load.getPointerAddressSpace();
  auto found = find_if(reverse(groups), [&, &object = object](const Group &group) {
    return group.laneBytes == laneBytes && group.number == number && group.addressSpace == space &&
           group.object == object;
  });
  Group &group = found == groups.rend()
                     ? groups.emplace_back(Group{std::move(object), laneBytes, number, space})
                     : *found;
  group.parts.push_back({&load, unsigned(offset % accessBytes / laneBytes)});
}

/// Joins what was read since memory was last written; returns whether there was anything.
bool joinAll(Groups &groups) {
  bool isChanged = false;
  for (const Group &group : groups)
    if (hasGap(group.parts) && isAligned(group)) {
      join(group);
      isChanged = true;
    }
  groups.clear();
  return isChanged;
}

} // namespace

PreservedAnalyses GapLoads::run(Function &function, FunctionAnalysisManager &) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  bool isChanged = false;
  for (BasicBlock &block : function) {
    Groups groups;
    for (Instruction &instruction : make_early_inc_range(block)) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (int64_t laneBytes = load ? laneBytesOf(*load) : 0)
        add(groups, *load, laneBytes, layout);
      else if (instruction.mayWriteToMemory())
        isChanged |= joinAll(groups);
    }
    isChanged |= joinAll(groups);
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace regrain::nvptx
