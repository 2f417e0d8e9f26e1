//===- Coroutine.cpp - A function as an LLVM coroutine --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/Coroutine.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace regrain::cpu {

namespace {

CallInst *suspendPoint(IRBuilder<> &builder, bool final) {
  return builder.CreateIntrinsic(
      Intrinsic::coro_suspend, {},
      {ConstantTokenNone::get(builder.getContext()), builder.getInt1(final)});
}

} // namespace

void moveAllocas(BasicBlock &from, BasicBlock &entry) {
  BasicBlock::iterator first = entry.begin();
  for (Instruction &inst : make_early_inc_range(from))
    if (auto *alloca = dyn_cast<AllocaInst>(&inst);
        alloca && isa<ConstantInt>(alloca->getArraySize()))
      alloca->moveBefore(entry, first);
}

Coroutine::Coroutine(Function &function, Value *context, Value *result)
    : function(function), module(*function.getParent()), context(context), result(result) {
  function.setPresplitCoroutine();
  cleanup = BasicBlock::Create(module.getContext(), "cleanup", &function);
  suspended = BasicBlock::Create(module.getContext(), "suspended", &function);
  emitReturns();
  emitEntry();
}

void Coroutine::emitEntry() {
  BasicBlock *body = &function.getEntryBlock();
  BasicBlock *entry = BasicBlock::Create(module.getContext(), "start", &function, body);
  IRBuilder<> builder(entry);
  Value *null = ConstantPointerNull::get(builder.getPtrTy());
  // If there is debug information of variables, LLVM 19 expects a promise.
  Value *promise = function.getSubprogram() ? builder.CreateAlloca(builder.getInt8Ty()) : null;
  id = builder.CreateIntrinsic(Intrinsic::coro_id, {}, {builder.getInt32(64), promise, null, null});
  Value *bytes = builder.CreateIntrinsic(Intrinsic::coro_size, {builder.getInt64Ty()}, {});
  frame = builder.CreateCall(module.getFunction("regrain_frame_push"), {context, bytes});
  handle = builder.CreateIntrinsic(Intrinsic::coro_begin, {}, {id, frame});
  moveAllocas(*body, *entry);
  builder.SetInsertPoint(entry);
  builder.CreateBr(body);
}

void Coroutine::emitReturns() {
  SmallVector<ReturnInst *> returns;
  for (BasicBlock &block : function)
    if (auto *ret = dyn_cast_or_null<ReturnInst>(block.getTerminator()))
      returns.push_back(ret);
  for (ReturnInst *ret : returns) {
    IRBuilder<> builder(ret);
    if (result)
      builder.CreateStore(ret->getReturnValue(), result);
    auto *resumed = builder.CreateSwitch(suspendPoint(builder, true), suspended, 1);
    resumed->addCase(builder.getInt8(1), cleanup);
    ret->eraseFromParent();
  }
}

void Coroutine::suspendBefore(Instruction *inst) {
  BasicBlock *before = inst->getParent();
  BasicBlock *after = SplitBlock(before, inst);
  Instruction *branch = before->getTerminator();
  IRBuilder<> builder(branch);
  auto *resumed = builder.CreateSwitch(suspendPoint(builder, false), suspended, 2);
  resumed->addCase(builder.getInt8(0), after);
  resumed->addCase(builder.getInt8(1), cleanup);
  branch->eraseFromParent();
}

void Coroutine::awaitRelease(CallInst &wait) {
  IRBuilder<> builder(&wait);
  SmallVector<Value *> arguments = {context};
  append_range(arguments, wait.args());
  builder.CreateCall(module.getFunction("regrain_thread_wait"), arguments);
  suspendBefore(&wait);
  builder.SetInsertPoint(&wait);
  if (!wait.use_empty())
    wait.replaceAllUsesWith(
        builder.CreateCall(module.getFunction("regrain_thread_result"), {context}));
  wait.eraseFromParent();
}

void Coroutine::awaitCall(CallInst &call, Value *callee) {
  Type *pointer = PointerType::getUnqual(module.getContext());
  bool hasResult = !call.getType()->isVoidTy();
  Value *slot = ConstantPointerNull::get(cast<PointerType>(pointer));
  if (hasResult)
    slot =
        IRBuilder<>(&*function.getEntryBlock().getFirstInsertionPt()).CreateAlloca(call.getType());
  SmallVector<Value *> arguments = {context, slot};
  append_range(arguments, call.args());
  SmallVector<Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  IRBuilder<> builder(&call);
  Value *inner = builder.CreateCall(FunctionType::get(pointer, types, false), callee, arguments);

  BasicBlock *before = call.getParent();
  BasicBlock *after = SplitBlock(before, &call);
  BasicBlock *check = BasicBlock::Create(module.getContext(), "check", &function, after);
  BasicBlock *resume = BasicBlock::Create(module.getContext(), "resume", &function, after);
  before->getTerminator()->setSuccessor(0, check);
  builder.SetInsertPoint(check);
  Value *done = builder.CreateIntrinsic(Intrinsic::coro_done, {}, {inner});
  builder.CreateCondBr(done, after, resume);
  builder.SetInsertPoint(resume);
  builder.CreateIntrinsic(Intrinsic::coro_resume, {}, {inner});
  Instruction *resumed = &resume->back();
  builder.CreateBr(check);
  suspendBefore(resumed);

  builder.SetInsertPoint(&call);
  builder.CreateIntrinsic(Intrinsic::coro_destroy, {}, {inner});
  if (hasResult)
    call.replaceAllUsesWith(builder.CreateLoad(call.getType(), slot));
  call.eraseFromParent();
}

void Coroutine::finish() {
  IRBuilder<> builder(cleanup);
  Value *memory = builder.CreateIntrinsic(Intrinsic::coro_free, {}, {id, handle});
  builder.CreateCall(module.getFunction("regrain_frame_pop"), {context, memory});
  builder.CreateBr(suspended);
  builder.SetInsertPoint(suspended);
  builder.CreateIntrinsic(
      Intrinsic::coro_end, {},
      {handle, builder.getInt1(false), ConstantTokenNone::get(module.getContext())});
  builder.CreateRet(handle);
}

} // namespace regrain::cpu
