//===- ThreadNest.cpp - Loops over the threads of a block -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/ThreadNest.h"
#include "compiler/Target/CPU/KernelEntry.h"
#include "compiler/Target/CPU/Suspension.h"
#include "runtime/image/launch_limits.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include <cstddef>

using namespace llvm;

namespace regrain::cpu {

namespace {

/// One counted loop that is tested at the end, because sizes are at least 1.
struct CountedLoop {
  PHINode *index;
  BasicBlock *header, *latch;
};

CountedLoop openLoop(Function &function, BasicBlock *before, StringRef name) {
  LLVMContext &context = function.getContext();
  CountedLoop loop;
  loop.header = BasicBlock::Create(context, name, &function);
  loop.latch = BasicBlock::Create(context, name + ".next", &function);
  IRBuilder<> builder(loop.header);
  loop.index = builder.CreatePHI(builder.getInt32Ty(), 2, name);
  loop.index->addIncoming(builder.getInt32(0), before);
  return loop;
}

BranchInst *closeLoop(CountedLoop &loop, Value *size, BasicBlock *behind) {
  IRBuilder<> builder(loop.latch);
  Value *next = builder.CreateAdd(loop.index, builder.getInt32(1), "", true, true);
  loop.index->addIncoming(next, loop.latch);
  return builder.CreateCondBr(builder.CreateICmpULT(next, size), loop.header, behind);
}

Value *field(IRBuilder<> &builder, Value *block, size_t offset) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block, offset);
}

bool isLocal(const Value *pointer) {
  SmallVector<const Value *> objects;
  getUnderlyingObjects(pointer, objects, nullptr, /*MaxLookup=*/0);
  return any_of(objects, [](const Value *object) { return isa<AllocaInst>(object); });
}

/// Returns true for a plain access to memory that the threads of a block share.
bool isIndependent(const Instruction &inst) {
  if (auto *load = dyn_cast<LoadInst>(&inst))
    return load->isSimple() && !isLocal(load->getPointerOperand());
  if (auto *store = dyn_cast<StoreInst>(&inst))
    return store->isSimple() && !isLocal(store->getPointerOperand());
  if (auto *transfer = dyn_cast<MemTransferInst>(&inst))
    return !transfer->isVolatile() && !isLocal(transfer->getRawDest()) &&
           !isLocal(transfer->getRawSource());
  if (auto *set = dyn_cast<MemSetInst>(&inst))
    return !set->isVolatile() && !isLocal(set->getRawDest());
  return false;
}

} // namespace

ThreadNest::ThreadNest(Module &module, StringRef name) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  function = Function::Create(
      FunctionType::get(Type::getVoidTy(context), {pointer, pointer, pointer}, false),
      GlobalValue::InternalLinkage, name, &module);
  for (Argument &argument : function->args())
    argument.addAttr(Attribute::NoAlias);
  entryBuilder = std::make_unique<IRBuilder<>>(BasicBlock::Create(context, "entry", function));
  loadBlock();
  makeLoops();
}

/// Loads the fields of the block at the entry.
void ThreadNest::loadBlock() {
  IRBuilder<> &builder = *entryBuilder;
  for (unsigned d = 0; d < 3; ++d) {
    fields[REGRAIN_BLOCK_SIZE + d] =
        loadField(offsetof(RegrainCpuBlock, blockDim) + 4 * d, maxBlockSize[d]);
    fields[REGRAIN_BLOCK_INDEX + d] =
        loadField(offsetof(RegrainCpuBlock, blockIdx) + 4 * d, maxGridSize[d] - 1);
    fields[REGRAIN_GRID_SIZE + d] =
        loadField(offsetof(RegrainCpuBlock, gridDim) + 4 * d, maxGridSize[d]);
  }
  fields[REGRAIN_DYNAMIC_SHARED_BYTES] =
      loadField(offsetof(RegrainCpuBlock, dynamicSharedBytes), 0);
  Value *block = function->getArg(1);
  Type *pointer = builder.getPtrTy();
  shared = builder.CreateLoad(pointer, field(builder, block, offsetof(RegrainCpuBlock, shared)));
  arena = builder.CreateLoad(pointer, field(builder, block, offsetof(RegrainCpuBlock, arena)));
}

/// Creates the loops, x innermost; the body starts in the header of the innermost loop.
void ThreadNest::makeLoops() {
  IRBuilder<> &builder = *entryBuilder;
  Value **size = &fields[REGRAIN_BLOCK_SIZE];
  Type *i64 = builder.getInt64Ty();
  Value *wide[3];
  for (unsigned d = 0; d < 3; ++d)
    wide[d] = builder.CreateZExt(size[d], i64);
  threads = builder.CreateNUWMul(builder.CreateNUWMul(wide[0], wide[1]), wide[2]);

  exit = BasicBlock::Create(function->getContext(), "exit", function);
  CountedLoop z = openLoop(*function, builder.GetInsertBlock(), "z");
  CountedLoop y = openLoop(*function, z.header, "y");
  CountedLoop x = openLoop(*function, y.header, "x");
  builder.SetInsertPoint(builder.CreateBr(z.header));
  IRBuilder<>(z.header).CreateBr(y.header);
  IRBuilder<> rows(y.header);
  Value *row = rows.CreateNUWAdd(rows.CreateNUWMul(rows.CreateZExt(z.index, i64), wide[1]),
                                 rows.CreateZExt(y.index, i64));
  Value *first = rows.CreateNUWMul(row, wide[0]);
  noteIndex(rows, 1, y.index);
  noteIndex(rows, 2, z.index);
  rows.CreateBr(x.header);
  closeLoop(z, size[2], exit);
  closeLoop(y, size[1], z.latch);
  closeLoop(x, size[0], y.latch);
  bodyBuilder = std::make_unique<IRBuilder<>>(x.header);
  linear = bodyBuilder->CreateNUWAdd(first, bodyBuilder->CreateZExt(x.index, i64), "thread");
  fields[REGRAIN_THREAD_INDEX] = x.index;
  fields[REGRAIN_THREAD_INDEX + 1] = y.index;
  fields[REGRAIN_THREAD_INDEX + 2] = z.index;
  fields[REGRAIN_LINEAR_THREAD] = bodyBuilder->CreateTrunc(linear, builder.getInt32Ty());
  latchX = x.latch;
  body.push_back(x.header);
}

/// Loads a 32-bit field of the block; `most` is its maximum, 0: any.
Value *ThreadNest::loadField(unsigned offset, uint64_t most) {
  IRBuilder<> &builder = *entryBuilder;
  LoadInst *load =
      builder.CreateLoad(builder.getInt32Ty(), field(builder, function->getArg(1), offset));
  if (most)
    load->setMetadata(LLVMContext::MD_range,
                      MDBuilder(load->getContext()).createRange(APInt(32, 0), APInt(32, most + 1)));
  return load;
}

/// The store is volatile, because the plugin may read the index at any instruction.
void ThreadNest::noteIndex(IRBuilder<> &builder, unsigned dimension, Value *index) const {
  size_t offset = offsetof(RegrainCpuBlock, threadIdx) + 4 * dimension;
  builder.CreateStore(index, field(builder, function->getArg(1), offset), /*isVolatile=*/true);
}

void ThreadNest::noteThread(IRBuilder<> &builder) const {
  for (unsigned d = 0; d < 3; ++d)
    noteIndex(builder, d, fields[REGRAIN_THREAD_INDEX + d]);
}

void ThreadNest::guard(Value *condition) {
  BasicBlock *run = addBlock("run");
  bodyBuilder->CreateCondBr(condition, run, latchX);
  bodyBuilder->SetInsertPoint(run);
}

BasicBlock *ThreadNest::addBlock(StringRef name) {
  BasicBlock *block = BasicBlock::Create(function->getContext(), name, function, latchX);
  body.push_back(block);
  return block;
}

Value *ThreadNest::special(Instruction &inst) {
  if (callOf(inst, sharedBaseName))
    return shared;
  CallInst *call = callOf(inst, specialName);
  if (!call)
    return nullptr;
  return fields[cast<ConstantInt>(call->getArgOperand(0))->getZExtValue()];
}

void ThreadNest::finish() {
  LLVMContext &context = function->getContext();
  MDNode *group = MDNode::getDistinct(context, {});
  bool captured = false;
  for (Instruction &inst : function->getEntryBlock())
    if (isa<AllocaInst>(inst))
      captured |= PointerMayBeCaptured(&inst, /*ReturnCaptures=*/false, /*StoreCaptures=*/true);
  if (!captured)
    for (BasicBlock *block : body)
      for (Instruction &inst : *block)
        if (isIndependent(inst))
          inst.setMetadata(LLVMContext::MD_access_group, group);
  Metadata *parallel[] = {MDString::get(context, "llvm.loop.parallel_accesses"), group};
  Metadata *progress[] = {MDString::get(context, "llvm.loop.mustprogress")};
  Metadata *operands[] = {nullptr, MDNode::get(context, parallel), MDNode::get(context, progress)};
  MDNode *loop = MDNode::getDistinct(context, operands);
  loop->replaceOperandWith(0, loop);
  latchX->getTerminator()->setMetadata(LLVMContext::MD_loop, loop);
}

} // namespace regrain::cpu
