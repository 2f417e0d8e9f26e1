//===- BulkCopies.cpp - Rows of tiles copied at once ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/BulkCopies.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/StagedTiles.h"
#include "runtime/image/launch_limits.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace regrain;
using namespace regrain::nvptx;

namespace {

constexpr unsigned leastCapability = 90;
constexpr unsigned counterBytes = 8;

using Copies = SmallVector<MemCpyInst *>;

Copies copiesIn(Function &function) {
  Copies copies;
  for (Instruction &instruction : instructions(function))
    if (auto *copy = dyn_cast<MemCpyInst>(&instruction); copy && isCopyOfRow(*copy))
      copies.push_back(copy);
  return copies;
}

StringRef nameOf(const IntrinsicInst &call) { return call.getCalledFunction()->getName(); }

bool isBarrier(const Instruction &instruction) {
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == Intrinsic::nvvm_barrier0;
}

/// Visits the instructions behind `start` on all paths, each up to one that `ends` it.
void visitBehind(Instruction &start, function_ref<bool(Instruction &)> ends) {
  SmallPtrSet<BasicBlock *, 16> entered;
  SmallVector<BasicBlock::iterator> starts = {std::next(start.getIterator())};
  while (!starts.empty()) {
    BasicBlock::iterator at = starts.pop_back_val();
    BasicBlock &block = *at->getParent();
    while (at != block.end() && !ends(*at))
      ++at;
    if (at != block.end())
      continue;
    for (BasicBlock *next : successors(&block))
      if (entered.insert(next).second)
        starts.push_back(next->begin());
  }
}

/// Returns whether threads read copied rows behind a barrier, and in front of the next one.
bool isBeforeReads(Instruction &barrier) {
  bool reads = false;
  visitBehind(barrier, [&](Instruction &instruction) {
    const auto *load = dyn_cast<LoadInst>(&instruction);
    reads |= load && isTile(load->getPointerOperand(), bulkSuffix);
    return reads || isBarrier(instruction);
  });
  return reads;
}

/// Returns the first barriers behind a copy of a row behind which threads read such rows.
SmallVector<Instruction *> barriersBehind(Instruction &copy) {
  SmallVector<Instruction *> barriers;
  visitBehind(copy, [&](Instruction &instruction) {
    if (!isBarrier(instruction))
      return false;
    if (isBeforeReads(instruction))
      barriers.push_back(&instruction);
    return true;
  });
  return barriers;
}

/// Replaces a copy by accesses of 16 bytes.
void expand(MemCpyInst &copy) {
  const Align align(widestAccess);
  auto *type = FixedVectorType::get(Type::getInt32Ty(copy.getContext()), widestAccess / 4);
  IRBuilder<> builder(&copy);
  Value *bytes = builder.CreateZExtOrTrunc(copy.getLength(), builder.getInt32Ty());
  Value *count = builder.CreateLShr(bytes, Log2_32(widestAccess), "", /*isExact=*/true);
  auto [body, number] = SplitBlockAndInsertSimpleForLoop(count, &copy);
  builder.SetInsertPoint(body);
  LoadInst *load =
      builder.CreateAlignedLoad(type, builder.CreateGEP(type, copy.getRawSource(), number), align);
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(copy.getContext(), {}));
  builder.CreateAlignedStore(load, builder.CreateInBoundsGEP(type, copy.getRawDest(), number),
                             align);
  copy.eraseFromParent();
}

/// Makes the copies of one kernel instructions.
class BulkCopier {
public:
  explicit BulkCopier(Function &function)
      : function(function), word(Type::getInt32Ty(function.getContext())) {}

  void run(ArrayRef<MemCpyInst *> copies);

private:
  Value *counterOf(IRBuilder<> &builder, Value *number);
  CallInst *call(IRBuilder<> &builder, Type *result, StringRef text, StringRef constraints,
                 ArrayRef<Value *> operands);
  void start();
  bool followsWrites(const MemCpyInst &copy) const;
  void replace(MemCpyInst &copy, bool isFenced);
  void waitBehind(Instruction &barrier);

  Function &function;
  Type *word;
  unsigned ahead = 1;          ///< phases that may be on their way at a time, each with a counter
  Value *counters = nullptr;   ///< their address in shared memory
  Value *isFirst = nullptr;    ///< whether this is the first thread of the block
  AllocaInst *phase = nullptr; ///< the number of the phase that has not begun to end
};

CallInst *BulkCopier::call(IRBuilder<> &builder, Type *result, StringRef text,
                           StringRef constraints, ArrayRef<Value *> operands) {
  SmallVector<Type *> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  std::string clobbering = (constraints + (constraints.empty() ? "" : ",") + "~{memory}").str();
  CallInst *made = builder.CreateCall(InlineAsm::get(FunctionType::get(result, types, false), text,
                                                     clobbering, /*hasSideEffects=*/true),
                                      operands);
  made->setDoesNotThrow();
  return made;
}

/// Creates the address of a phase's counter.
Value *BulkCopier::counterOf(IRBuilder<> &builder, Value *number) {
  if (ahead == 1)
    return counters;
  Value *index = builder.CreateURem(number, builder.getInt32(ahead));
  return builder.CreateAdd(counters, builder.CreateMul(index, builder.getInt32(counterBytes)));
}

/// Creates the counters where the kernel begins.
void BulkCopier::start() {
  Module &module = *function.getParent();
  IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Type *wide = builder.getInt64Ty();
  Type *all = ahead == 1 ? wide : ArrayType::get(wide, ahead);
  auto *variable = new GlobalVariable(
      module, all, /*isConstant=*/false, GlobalValue::InternalLinkage, UndefValue::get(all),
      counterName, nullptr, GlobalValue::NotThreadLocal, sharedSpace);
  variable->setAlignment(Align(counterBytes));
  counters = builder.CreatePtrToInt(variable, word);
  phase = builder.CreateAlloca(word, module.getDataLayout().getAllocaAddrSpace());
  builder.CreateStore(builder.getInt32(0), phase);
  Value *coordinates = builder.getInt32(0);
  for (Intrinsic::ID id : {Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
                           Intrinsic::nvvm_read_ptx_sreg_tid_z})
    coordinates = builder.CreateOr(coordinates, builder.CreateIntrinsic(id, {}, {}));
  isFirst = builder.CreateIsNull(coordinates);
  Instruction *barrier = builder.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
  IRBuilder<> first(SplitBlockAndInsertIfThen(isFirst, barrier, /*Unreachable=*/false));
  for (unsigned number = 0; number < ahead; ++number)
    call(first, first.getVoidTy(), "mbarrier.init.shared::cta.b64 [$0], 1;", "r",
         {counterOf(first, first.getInt32(number))});
  call(first, first.getVoidTy(), "fence.proxy.async.shared::cta;", "", {});
}

/// Returns the pointer through which a store, an atomic operation or an asynchronous copy writes,
/// or null.
const Value *writtenBy(const Instruction &instruction) {
  if (const auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
    return atomic->getPointerOperand();
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && nameOf(*call).starts_with("llvm.nvvm.cp.async.c")
             ? call->getArgOperand(0)
             : getLoadStorePointerOperand(&instruction);
}

/// Returns whether an instruction may write into the array to which `array` points.
bool mayWriteInto(const Instruction &instruction, const Value *array) {
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!instruction.mayWriteToMemory() || isBarrier(instruction) ||
      (call && nameOf(*call).starts_with("llvm.nvvm.cp.async.wait")))
    return false;
  const Value *pointer = writtenBy(instruction);
  if (!pointer)
    return true;
  unsigned space = pointer->getType()->getPointerAddressSpace();
  if (space != genericSpace && space != sharedSpace)
    return false;
  SmallVector<const Value *, 4> written;
  getUnderlyingObjects(pointer, written, nullptr, 0);
  // The program does not know the array, so what it hands to a kernel does not point there.
  return !all_of(written, [&](const Value *object) {
    return isa<Argument>(object) ||
           (isa<GlobalVariable>(object) && object != getUnderlyingObject(array, 0));
  });
}

/// Returns whether threads may write into the array of `copy`, other than by copies of rows, before
/// `copy` is reached.
bool BulkCopier::followsWrites(const MemCpyInst &copy) const {
  return any_of(instructions(function), [&](const Instruction &instruction) {
    const auto *other = dyn_cast<MemCpyInst>(&instruction);
    return !(other && isCopyOfRow(*other)) && mayWriteInto(instruction, copy.getRawDest()) &&
           isPotentiallyReachable(&instruction, &copy);
  });
}

void BulkCopier::replace(MemCpyInst &copy, bool isFenced) {
  IRBuilder<> builder(&copy);
  Type *none = builder.getVoidTy();
  Value *bytes = builder.CreateZExtOrTrunc(copy.getLength(), word);
  Value *to = builder.CreatePtrToInt(copy.getRawDest(), word);
  Value *from = builder.CreateAddrSpaceCast(copy.getRawSource(), builder.getPtrTy(globalSpace));
  Value *counter = counterOf(builder, builder.CreateLoad(word, phase));
  if (isFenced)
    call(builder, none, "fence.proxy.async.shared::cta;", "", {});
  call(builder, none, "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [$0], $1;", "r,r",
       {counter, bytes});
  call(builder, none,
       "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], $2, [$3];",
       "r,l,r,r", {to, from, bytes, counter});
  copy.eraseFromParent();
}

void BulkCopier::waitBehind(Instruction &barrier) {
  Instruction *rest = barrier.getNextNode();
  Value *number = IRBuilder<>(rest).CreateLoad(word, phase);
  IRBuilder<> first(SplitBlockAndInsertIfThen(isFirst, rest, /*Unreachable=*/false));
  call(first, first.getVoidTy(), "mbarrier.arrive.shared::cta.b64 _, [$0];", "r",
       {counterOf(first, number)});
  BasicBlock *before = rest->getParent();
  BasicBlock *behind = before->splitBasicBlock(rest->getIterator());
  auto *loop = BasicBlock::Create(function.getContext(), "wait", &function, behind);
  before->getTerminator()->eraseFromParent();
  IRBuilder<> builder(before);
  Value *awaited = number, *round = number;
  if (ahead != 1) {
    awaited =
        builder.CreateBinaryIntrinsic(Intrinsic::usub_sat, number, builder.getInt32(ahead - 1));
    round = builder.CreateUDiv(awaited, builder.getInt32(ahead));
  }
  Value *counter = counterOf(builder, awaited), *parity = builder.CreateAnd(round, 1);
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  Value *isDone =
      call(builder, builder.getInt1Ty(), "mbarrier.try_wait.parity.shared::cta.b64 $0, [$1], $2;",
           "=b,r,r", {counter, parity});
  builder.CreateCondBr(isDone, behind, loop);
  builder.SetInsertPoint(behind, behind->getFirstInsertionPt());
  builder.CreateStore(builder.CreateAdd(number, builder.getInt32(1)), phase);
}

void BulkCopier::run(ArrayRef<MemCpyInst *> copies) {
  SmallSetVector<Instruction *, 4> barriers;
  SmallVector<bool> fenced;
  for (MemCpyInst *copy : copies) {
    SmallVector<Instruction *> behind = barriersBehind(*copy);
    barriers.insert(behind.begin(), behind.end());
    fenced.push_back(followsWrites(*copy));
  }
  // Behind several barriers, phases would not be counted by the steps of one loop.
  if (barriers.size() == 1)
    ahead = aheadOf(copies.front()->getRawDest());
  for (MemCpyInst *copy : copies)
    ahead = std::min(ahead, aheadOf(copy->getRawDest()));
  start();
  for (auto [copy, isFenced] : zip(copies, fenced))
    replace(*copy, isFenced);
  for (Instruction *barrier : barriers)
    waitBehind(*barrier);
  DominatorTree tree(function);
  PromoteMemToReg({phase}, tree);
}

} // namespace

void nvptx::expandBulkCopies(Module &module, unsigned capability) {
  for (Function &function : module) {
    Copies copies = copiesIn(function);
    if (capability < leastCapability ||
        any_of(copies, [](MemCpyInst *copy) { return barriersBehind(*copy).empty(); }))
      for (MemCpyInst *copy : copies)
        expand(*copy);
  }
}

void nvptx::copyInBulk(Module &module) {
  for (Function &function : module)
    if (Copies copies = copiesIn(function); !copies.empty())
      BulkCopier(function).run(copies);
}
