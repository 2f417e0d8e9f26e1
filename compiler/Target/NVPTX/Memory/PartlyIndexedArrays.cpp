//===- PartlyIndexedArrays.cpp - Registers for a part of a kernel ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/PartlyIndexedArrays.h"

#include "compiler/Target/NVPTX/KeptBlocks.h"
#include "compiler/Target/NVPTX/Memory/SmallArrays.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include <map>

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// A part of the array that is always accessed as a whole where places are constant.
struct Element {
  Type *type = nullptr;
  uint64_t size = 0;
  AllocaInst *own = nullptr; ///< becomes registers
};

/// The accesses of an array, by whether their places are constant.
class ArrayAccesses {
public:
  ArrayAccesses(AllocaInst &array, const DataLayout &layout)
      : layout(layout), bytes(array.getAllocationSize(layout)->getFixedValue()) {
    isKnown = find(array, 0) && areDisjoint() && fillsWholeElements();
  }

  struct Access {
    Instruction *instruction;
    uint64_t offset;
  };

  bool isKnown = false; ///< whether all that is done with the array is a known access
  std::map<uint64_t, Element> elements; ///< by their offsets
  SmallVector<Access> constant;         ///< loads and stores of elements
  SmallVector<Access> fills;            ///< constant places that are filled with zeros
  SetVector<Instruction *> unindexed;   ///< both of them
  SetVector<Instruction *> indexed;     ///< all others
  SmallVector<Instruction *> lifetimes;

  /// Returns whether the elements are all that the instruction fills.
  [[nodiscard]] bool coverFill(const Access &fill) const {
    uint64_t covered = 0;
    for (auto &[offset, element] : elements)
      covered += isIn(offset, fill) ? element.size : 0;
    return covered == lengthOf(fill);
  }

  [[nodiscard]] static bool isIn(uint64_t offset, const Access &fill) {
    return fill.offset <= offset && offset < fill.offset + lengthOf(fill);
  }

private:
  static uint64_t lengthOf(const Access &fill) {
    return cast<ConstantInt>(cast<MemSetInst>(fill.instruction)->getLength())->getZExtValue();
  }

  /// Finds the accesses through a pointer to the place in the array, if that is constant.
  bool find(Value &pointer, std::optional<uint64_t> place) {
    return all_of(pointer.uses(), [&](const Use &use) { return add(use, place); });
  }

  bool add(const Use &use, std::optional<uint64_t> place) {
    auto *user = cast<Instruction>(use.getUser());
    if (auto *address = dyn_cast<GetElementPtrInst>(user))
      return address->getType()->isPointerTy() && find(*address, placeOf(*address, place));
    if (isa<PHINode, SelectInst>(user))
      return !steps.insert(user) || find(*user, std::nullopt);
    if (auto *load = dyn_cast<LoadInst>(user))
      return load->isSimple() && addAccess(*load, load->getType(), place);
    if (auto *store = dyn_cast<StoreInst>(user))
      return store->isSimple() && use.getOperandNo() == StoreInst::getPointerOperandIndex() &&
             addAccess(*store, store->getValueOperand()->getType(), place);
    auto *intrinsic = dyn_cast<IntrinsicInst>(user);
    if (intrinsic && intrinsic->isLifetimeStartOrEnd()) {
      lifetimes.push_back(user);
      return true;
    }
    auto *copy = dyn_cast<MemIntrinsic>(user);
    if (!copy || copy->isVolatile())
      return false;
    if (!place || !fillsWithZeros(*copy))
      return indexed.insert(user), true;
    unindexed.insert(user);
    fills.push_back({user, *place});
    return true;
  }

  std::optional<uint64_t> placeOf(const GetElementPtrInst &address,
                                  std::optional<uint64_t> base) const {
    APInt offset(layout.getIndexTypeSizeInBits(address.getType()), 0);
    if (!base || !address.accumulateConstantOffset(layout, offset))
      return std::nullopt;
    return *base + offset.getSExtValue();
  }

  bool addAccess(Instruction &access, Type *type, std::optional<uint64_t> place) {
    if (!place)
      return indexed.insert(&access), true;
    if (!type->isSingleValueType() || isa<ScalableVectorType>(type) ||
        !layout.typeSizeEqualsStoreSize(type))
      return false;
    uint64_t size = layout.getTypeStoreSize(type).getFixedValue();
    if (*place > bytes || size > bytes - *place)
      return false;
    unindexed.insert(&access);
    constant.push_back({&access, *place});
    Element &element = elements[*place];
    if (!element.type)
      element = {type, size};
    return element.size == size &&
           (element.type == type ||
            (CastInst::isBitOrNoopPointerCastable(type, element.type, layout) &&
             CastInst::isBitOrNoopPointerCastable(element.type, type, layout)));
  }

  static bool fillsWithZeros(const MemIntrinsic &copy) {
    auto *fill = dyn_cast<MemSetInst>(&copy);
    auto *value = fill ? dyn_cast<ConstantInt>(fill->getValue()) : nullptr;
    return value && value->isZero() && isa<ConstantInt>(fill->getLength());
  }

  [[nodiscard]] bool areDisjoint() const {
    uint64_t end = 0;
    for (auto &[offset, element] : elements) {
      if (offset < end)
        return false;
      end = offset + element.size;
    }
    return true;
  }

  [[nodiscard]] bool fillsWholeElements() const {
    return all_of(fills, [&](const Access &fill) {
      return all_of(elements, [&](const auto &one) {
        return isIn(one.first, fill) == isIn(one.first + one.second.size - 1, fill);
      });
    });
  }

  const DataLayout &layout;
  uint64_t bytes;
  SetVector<Instruction *> steps; ///< that choose among pointers
};

/// A part of the function that accesses the array in local memory.
struct Region {
  Loop *loop = nullptr; ///< null: the instructions from `first` to `last`
  Instruction *first = nullptr, *last = nullptr;
  bool writes = false;

  [[nodiscard]] Instruction *entry() const {
    return loop ? loop->getLoopPreheader()->getTerminator() : first;
  }

  [[nodiscard]] SmallVector<Instruction *, 4> exits() const {
    if (!loop)
      return {last->getNextNode()};
    SmallVector<BasicBlock *, 4> blocks;
    loop->getUniqueExitBlocks(blocks);
    return map_to_vector<4>(blocks, [](BasicBlock *one) { return &*one->getFirstInsertionPt(); });
  }
};

/// Splits one array into registers and local memory.
class ArraySplitter {
public:
  ArraySplitter(AllocaInst &array, const LoopInfo &loops, const BlockFrequencyInfo &frequencies)
      : array(array), layout(array.getDataLayout()), accesses(array, layout), loops(loops),
        frequencies(frequencies) {}

  /// Splits the array if that saves accesses. Adds what becomes registers.
  bool split(SmallVectorImpl<AllocaInst *> &registers) {
    if (!accesses.isKnown || accesses.indexed.empty() || accesses.elements.empty() ||
        !findRegions() || saved() < 2 * added())
      return false;
    for (auto &[offset, element] : accesses.elements) {
      element.own = new AllocaInst(element.type, array.getAddressSpace(), array.getName(), &array);
      registers.push_back(element.own);
    }
    for (const Region &region : regions)
      copyAround(region);
    for (const ArrayAccesses::Access &access : accesses.constant)
      useRegister(access);
    for (const ArrayAccesses::Access &fill : accesses.fills)
      fillRegisters(fill);
    for (Instruction *end : accesses.lifetimes)
      end->eraseFromParent();
    return true;
  }

private:
  [[nodiscard]] bool hasConstant(const Loop &loop) const {
    return any_of(accesses.unindexed, [&](const Instruction *one) { return loop.contains(one); });
  }

  /// Finds what accesses the array in local memory: the largest loops without constant places, and
  /// accesses that are in no such loop.
  bool findRegions() {
    MapVector<Loop *, bool> writesIn;
    SetVector<BasicBlock *> blocks;
    for (Instruction *access : accesses.indexed) {
      Loop *loop = loops.getLoopFor(access->getParent());
      if (!loop || hasConstant(*loop)) {
        blocks.insert(access->getParent());
        continue;
      }
      while (loop->getParentLoop() && !hasConstant(*loop->getParentLoop()))
        loop = loop->getParentLoop();
      if (!loop->isLoopSimplifyForm())
        return false;
      writesIn[loop] |= access->mayWriteToMemory();
    }
    for (auto [loop, writes] : writesIn)
      regions.push_back({loop, nullptr, nullptr, writes});
    for (BasicBlock *block : blocks)
      addRegionsOf(*block);
    return true;
  }

  void addRegionsOf(BasicBlock &block) {
    Region region;
    for (Instruction &one : block) {
      if (accesses.indexed.contains(&one)) {
        region.first = region.first ? region.first : &one;
        region.last = &one;
        region.writes |= one.mayWriteToMemory();
      } else if (region.first && accesses.unindexed.contains(&one)) {
        regions.push_back(std::exchange(region, {}));
      }
    }
    if (region.first)
      regions.push_back(region);
  }

  [[nodiscard]] double oftenRun(const Instruction &instruction) const {
    return double(frequencies.getBlockFreq(instruction.getParent()).getFrequency());
  }

  /// Returns how many accesses to local memory elements in registers save.
  [[nodiscard]] double saved() const {
    double sum = 0;
    for (const ArrayAccesses::Access &access : accesses.constant)
      sum += oftenRun(*access.instruction);
    return sum;
  }

  /// Returns how many accesses to local memory are added around the regions.
  [[nodiscard]] double added() const {
    double sum = 0;
    for (const Region &region : regions)
      sum += oftenRun(*region.entry()) * (region.writes ? 2 : 1);
    return sum * double(accesses.elements.size());
  }

  void copyAround(const Region &region) {
    IRBuilder<> before(region.entry());
    for (auto &[offset, element] : accesses.elements)
      before.CreateAlignedStore(before.CreateLoad(element.type, element.own),
                                placeIn(before, offset), alignmentAt(offset));
    if (!region.writes)
      return;
    for (Instruction *exit : region.exits()) {
      IRBuilder<> behind(exit);
      for (auto &[offset, element] : accesses.elements)
        behind.CreateStore(
            behind.CreateAlignedLoad(element.type, placeIn(behind, offset), alignmentAt(offset)),
            element.own);
    }
  }

  Value *placeIn(IRBuilder<> &builder, uint64_t offset) {
    return offset ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &array, offset)
                  : &array;
  }

  [[nodiscard]] Align alignmentAt(uint64_t offset) const {
    return commonAlignment(array.getAlign(), offset);
  }

  void useRegister(const ArrayAccesses::Access &access) {
    const Element &element = accesses.elements.at(access.offset);
    IRBuilder<> builder(access.instruction);
    if (auto *load = dyn_cast<LoadInst>(access.instruction)) {
      Value *value = builder.CreateLoad(element.type, element.own);
      load->replaceAllUsesWith(builder.CreateBitOrPointerCast(value, load->getType()));
    } else {
      Value *value = cast<StoreInst>(access.instruction)->getValueOperand();
      builder.CreateStore(builder.CreateBitOrPointerCast(value, element.type), element.own);
    }
    access.instruction->eraseFromParent();
  }

  void fillRegisters(const ArrayAccesses::Access &fill) {
    IRBuilder<> builder(fill.instruction);
    for (auto &[offset, element] : accesses.elements)
      if (ArrayAccesses::isIn(offset, fill))
        builder.CreateStore(Constant::getNullValue(element.type), element.own);
    if (accesses.coverFill(fill))
      fill.instruction->eraseFromParent();
  }

  AllocaInst &array;
  const DataLayout &layout;
  ArrayAccesses accesses;
  const LoopInfo &loops;
  const BlockFrequencyInfo &frequencies;
  SmallVector<Region, 4> regions;
};

} // namespace

PreservedAnalyses PartlyIndexedArrays::run(Function &function, FunctionAnalysisManager &analyses) {
  SmallVector<AllocaInst *> arrays;
  for (Instruction &one : function.getEntryBlock())
    if (auto *array = dyn_cast<AllocaInst>(&one); array && isSmallArray(*array))
      arrays.push_back(array);
  if (arrays.empty())
    return PreservedAnalyses::all();
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &frequencies = analyses.getResult<BlockFrequencyAnalysis>(function);
  SmallVector<AllocaInst *> registers;
  bool hasChanged = false;
  for (AllocaInst *array : arrays)
    hasChanged |= ArraySplitter(*array, loops, frequencies).split(registers);
  if (hasChanged)
    PromoteMemToReg(registers, analyses.getResult<DominatorTreeAnalysis>(function),
                    &analyses.getResult<AssumptionAnalysis>(function));
  return preservedWithBlocks(hasChanged);
}

} // namespace regrain::nvptx
