//===- Copy.cpp - Asynchronous copies in inline PTX -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy to shared memory may be complete at any time before the thread waits for it, so it is
// complete at once here, and the thread never waits. Copies that an mbarrier counts are not known.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Ptx/Emitter.h"

using namespace llvm;

namespace regrain::ptx {

namespace {

constexpr Type word = {'b', 32, 1};
constexpr Type predicate = {'p', 1, 1};

/// Where a copy reads and writes, and how much.
struct Copy {
  Value *to = nullptr, *from = nullptr;
  unsigned bytes = 0;
  Value *read = nullptr; ///< bytes that are read, the others are zeros; null if all are
};

/// Copies all bytes. Both addresses are aligned to the size.
void copyAll(IRBuilder<> &builder, const Copy &copy) {
  auto *type = FixedVectorType::get(builder.getInt32Ty(), copy.bytes / 4);
  builder.CreateAlignedStore(builder.CreateAlignedLoad(type, copy.from, Align(copy.bytes)), copy.to,
                             Align(copy.bytes));
}

/// Writes zeros, and copies the first bytes over them one by one.
void copySome(IRBuilder<> &builder, const Copy &copy) {
  auto *type = FixedVectorType::get(builder.getInt32Ty(), copy.bytes / 4);
  builder.CreateAlignedStore(Constant::getNullValue(type), copy.to, Align(copy.bytes));
  BasicBlock *before = builder.GetInsertBlock();
  Function *function = before->getParent();
  auto *body = BasicBlock::Create(builder.getContext(), "", function);
  auto *after = BasicBlock::Create(builder.getContext(), "", function);
  Value *none = builder.getInt32(0);
  builder.CreateCondBr(builder.CreateICmpEQ(copy.read, none), after, body);
  builder.SetInsertPoint(body);
  PHINode *index = builder.CreatePHI(builder.getInt32Ty(), 2);
  Value *byte = builder.CreateLoad(builder.getInt8Ty(),
                                   builder.CreateGEP(builder.getInt8Ty(), copy.from, index));
  builder.CreateStore(byte, builder.CreateGEP(builder.getInt8Ty(), copy.to, index));
  Value *next = builder.CreateAdd(index, builder.getInt32(1));
  index->addIncoming(none, before);
  index->addIncoming(next, body);
  builder.CreateCondBr(builder.CreateICmpULT(next, copy.read), body, after);
  builder.SetInsertPoint(after);
}

void emit(IRBuilder<> &builder, const Copy &copy) {
  if (!copy.read) {
    copyAll(builder, copy);
    return;
  }
  Function *function = builder.GetInsertBlock()->getParent();
  auto *all = BasicBlock::Create(builder.getContext(), "", function);
  auto *some = BasicBlock::Create(builder.getContext(), "", function);
  auto *after = BasicBlock::Create(builder.getContext(), "", function);
  builder.CreateCondBr(builder.CreateICmpUGE(copy.read, builder.getInt32(copy.bytes)), all, some);
  builder.SetInsertPoint(all);
  copyAll(builder, copy);
  builder.CreateBr(after);
  builder.SetInsertPoint(some);
  copySome(builder, copy);
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
}

/// Returns how many bytes operand `index` lets a copy read: it is a number of bytes, or a predicate
/// that is true if nothing is read.
Value *bytesRead(Emitter &emitter, size_t index, unsigned bytes) {
  IRBuilder<> &builder = emitter.builder;
  if (Value *count = emitter.value(index, word))
    return count;
  Value *ignores = emitter.value(index, predicate);
  return ignores ? builder.CreateSelect(ignores, builder.getInt32(0), builder.getInt32(bytes))
                 : nullptr;
}

/// Emits cp.async.ca.shared.global [to], [from], 16, read, policy; the last two may be left out.
bool emitAsyncCopy(Emitter &emitter) {
  const std::vector<std::string> &opcode = emitter.instruction.opcode;
  StringRef caches = emitter.takeAny({"ca", "cg"});
  bool isToShared = opcode.size() > 4 && opcode[2] == caches && opcode[4] == "global" &&
                    !emitter.takeAny({"shared", "shared::cta"}).empty();
  if (caches.empty() || !isToShared || !emitter.take("global"))
    return false;
  size_t policies = emitter.take("L2::cache_hint") ? 1 : 0;
  emitter.takeAny({"L2::64B", "L2::128B", "L2::256B"});
  const std::vector<Operand> &operands = emitter.instruction.operands;
  bool readsSome = operands.size() == policies + 4;
  if (!emitter.isRead(policies + (readsSome ? 4 : 3)))
    return false;
  auto *bytes = dyn_cast_or_null<ConstantInt>(emitter.value(2, word));
  Copy copy = {addressOf(emitter, operands[0], sharedSpace),
               addressOf(emitter, operands[1], globalSpace)};
  if (!bytes || !copy.to || !copy.from)
    return false;
  copy.bytes = unsigned(bytes->getZExtValue());
  if (copy.bytes != 16 && (caches == "cg" || (copy.bytes != 4 && copy.bytes != 8)))
    return false;
  if (readsSome && !(copy.read = bytesRead(emitter, 3, copy.bytes)))
    return false;
  emit(emitter.builder, copy);
  return true;
}

} // namespace

bool emitCopy(Emitter &emitter, StringRef /*name*/) {
  if (!emitter.take("async"))
    return false;
  if (emitter.take("wait_group"))
    return emitter.isRead(1);
  if (!emitter.takeAny({"commit_group", "wait_all"}).empty())
    return emitter.isRead(0);
  return emitAsyncCopy(emitter);
}

} // namespace regrain::ptx
