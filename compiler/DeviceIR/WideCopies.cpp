//===- WideCopies.cpp - Copies as the widest accesses ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/WideCopies.h"

#include "compiler/DeviceIR/StagedTiles.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace regrain {
namespace {

// Sizes in bytes.
constexpr uint64_t smallestAccess = 4; ///< except of what is smaller itself, or a rest of that
constexpr uint64_t largestAccess = 16;
constexpr uint64_t largestGroup = 64; ///< what is in registers at a time
constexpr uint64_t largestUnrolled = 256;

/// Returns the size of a copy or fill, or 0 if it is not constant or not to be touched.
uint64_t constantSize(const MemIntrinsic &operation) {
  auto *length = dyn_cast<ConstantInt>(operation.getLength());
  return length && !operation.isVolatile() ? length->getLimitedValue() : 0;
}

/// Returns whether the variable is only copied as a whole, to and from elsewhere.
bool isOnlyCopied(const AllocaInst &variable, uint64_t size) {
  return all_of(variable.users(), [&](const User *user) {
    auto *intrinsic = dyn_cast<IntrinsicInst>(user);
    auto *copy = dyn_cast<MemCpyInst>(user);
    return (intrinsic && intrinsic->isLifetimeStartOrEnd()) ||
           (copy && constantSize(*copy) == size);
  });
}

/// Returns whether SROA has nothing to gain from the copy's `side`.
bool isWhole(const Value *side, uint64_t size) {
  auto *variable = dyn_cast<AllocaInst>(side->stripInBoundsOffsets());
  return !variable || (variable == side && isOnlyCopied(*variable, size));
}

/// Returns the known alignment of one side. A variable of the thread knows more than the operation.
uint64_t alignmentOf(const Value *side, MaybeAlign stated) {
  auto *variable = dyn_cast<AllocaInst>(side);
  return std::max(stated.valueOrOne(), variable ? variable->getAlign() : Align()).value();
}

/// Aligns the variables of the thread for the widest accesses.
void alignVariables(Function &function) {
  for (Instruction &instruction : instructions(function)) {
    auto *variable = dyn_cast<AllocaInst>(&instruction);
    if (variable && variable->isStaticAlloca() && variable->getAlign() < largestAccess &&
        any_of(variable->users(), [](User *user) {
          auto *operation = dyn_cast<MemIntrinsic>(user);
          return operation && constantSize(*operation) >= largestAccess;
        }))
      variable->setAlignment(Align(largestAccess));
  }
}

/// Returns how many bytes an access has, or 0 if the operation is kept.
uint64_t accessSize(const MemIntrinsic &operation) {
  uint64_t alignment = alignmentOf(operation.getRawDest(), operation.getDestAlign());
  auto *copy = dyn_cast<MemCpyInst>(&operation);
  if (copy && isCopyOfRow(*copy))
    return 0;
  if (copy)
    alignment = std::min(alignment, alignmentOf(copy->getRawSource(), copy->getSourceAlign()));
  else if (!isa<MemSetInst>(operation))
    return 0;
  uint64_t size = constantSize(operation);
  if (size == 0 || alignment < smallestAccess)
    return 0;
  uint64_t access = std::min(alignment, largestAccess);
  while (size % access != 0) // SROA leaves parts of structures
    access /= 2;
  return access >= smallestAccess || size < largestAccess ? access : 0;
}

bool leavesItToSroa(const MemIntrinsic &operation) {
  uint64_t size = constantSize(operation);
  auto *copy = dyn_cast<MemCpyInst>(&operation);
  return !copy || size > largestGroup || !isWhole(copy->getRawSource(), size) ||
         !isWhole(copy->getRawDest(), size);
}

/// Writes the accesses for one copy or fill.
class Widening {
public:
  Widening(MemIntrinsic &operation, uint64_t access)
      : operation(operation), access(access), size(constantSize(operation)), builder(&operation),
        aliases(operation.getAAMetadata()) {
    Type *word = builder.getInt32Ty(); // suits each kind of memory
    type = access > 4 ? static_cast<Type *>(FixedVectorType::get(word, access / 4))
                      : builder.getIntNTy(unsigned(8 * access));
    if (auto *fill = dyn_cast<MemSetInst>(&operation))
      filling = pattern(fill->getValue());
  }

  void run() {
    uint64_t looped = size > largestUnrolled ? size - size % largestGroup : 0;
    for (uint64_t offset = looped; offset < size; offset += largestGroup)
      writeGroup(nullptr, offset, std::min(largestGroup, size - offset));
    if (looped != 0) {
      auto [first, index] =
          SplitBlockAndInsertSimpleForLoop(builder.getInt64(looped / largestGroup), &operation);
      builder.SetInsertPoint(first);
      writeGroup(builder.CreateNUWMul(index, builder.getInt64(largestGroup)), 0, largestGroup);
    }
    operation.eraseFromParent();
  }

private:
  /// Returns the byte repeated over an access.
  Value *pattern(Value *byte) {
    Value *word = builder.CreateMul(builder.CreateZExt(byte, builder.getInt32Ty()),
                                    builder.getInt32(0x01010101));
    return access > 4 ? builder.CreateVectorSplat(access / 4, word)
                      : builder.CreateTrunc(word, type);
  }

  Value *address(Value *side, Value *base, uint64_t offset) {
    if (base)
      side = builder.CreateInBoundsGEP(builder.getInt8Ty(), side, base);
    return offset == 0 ? side
                       : builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), side, offset);
  }

  /// A side may be aligned to more than an access, and the vectoriser joins accesses.
  static Align alignmentAt(const Value *side, MaybeAlign stated, uint64_t offset) {
    Align known(std::min(alignmentOf(side, stated), largestGroup)); // a loop advances by groups
    return commonAlignment(known, offset);
  }

  /// Parts of a loop have one place in the structure for all its passes, so no metadata tells it.
  template <typename Access> Value *describe(Access *written, uint64_t offset) {
    if (size <= largestUnrolled)
      written->setAAMetadata(aliases.adjustForAccess(offset, type, operation.getDataLayout()));
    return written;
  }

  /// Writes accesses to `bytes` bytes that begin `from` bytes after `base`, which may be null for
  /// 0.
  void writeGroup(Value *base, uint64_t from, uint64_t bytes) {
    SmallVector<Value *> parts;
    auto *copy = dyn_cast<MemCpyInst>(&operation);
    for (uint64_t offset = from; offset < from + bytes; offset += access)
      parts.push_back(
          copy ? describe(builder.CreateAlignedLoad(
                              type, address(copy->getRawSource(), base, offset),
                              alignmentAt(copy->getRawSource(), copy->getSourceAlign(), offset)),
                          offset)
               : filling);
    for (auto [index, part] : enumerate(parts)) {
      uint64_t offset = from + index * access;
      describe(builder.CreateAlignedStore(
                   part, address(operation.getRawDest(), base, offset),
                   alignmentAt(operation.getRawDest(), operation.getDestAlign(), offset)),
               offset);
    }
  }

  MemIntrinsic &operation;
  uint64_t access, size;
  IRBuilder<> builder;
  AAMDNodes aliases;
  Type *type;
  Value *filling = nullptr; ///< of a fill
};

} // namespace

PreservedAnalyses WideCopies::run(Function &function, FunctionAnalysisManager &) {
  if (time == Time::AfterSroa)
    alignVariables(function);
  SmallVector<std::pair<MemIntrinsic *, uint64_t>> found; // all are judged before one is replaced
  for (Instruction &instruction : instructions(function))
    if (auto *operation = dyn_cast<MemIntrinsic>(&instruction))
      if (uint64_t access = accessSize(*operation);
          access && (time == Time::AfterSroa || !leavesItToSroa(*operation)))
        found.push_back({operation, access});
  for (auto [operation, access] : found)
    Widening(*operation, access).run();
  return found.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace regrain
