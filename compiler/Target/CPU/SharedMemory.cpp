//===- SharedMemory.cpp - __shared__ variables on the CPU -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/SharedMemory.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/Calls.h"
#include "compiler/Target/CPU/Library/Machine.h"
#include "compiler/Target/CPU/Suspension.h"
#include "compiler/Target/Reach.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::cpu {

namespace {

void replaceUses(GlobalVariable &variable, unsigned index) {
  Module &module = *variable.getParent();
  FunctionCallee address = module.getOrInsertFunction(sharedVariableName, variable.getType(),
                                                      Type::getInt32Ty(module.getContext()));
  auto *callee = cast<Function>(address.getCallee());
  callee->setDoesNotAccessMemory();
  callee->setDoesNotThrow();
  callee->setWillReturn();
  callee->setSpeculatable();
  convertUsersOfConstantsToInstructions({&variable});
  DenseMap<Function *, Value *> inFunction;
  for (Use &use : make_early_inc_range(variable.uses())) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      continue;
    Value *&value = inFunction[user->getFunction()];
    if (!value) {
      IRBuilder<> builder(&*user->getFunction()->getEntryBlock().getFirstInsertionPt());
      value = builder.CreateCall(address, builder.getInt32(index));
    }
    use.set(value);
  }
}

SmallVector<CallInst *> callsIn(Function &function) {
  SmallVector<CallInst *> calls;
  for (BasicBlock &block : function)
    for (Instruction &inst : block)
      if (CallInst *call = callOf(inst, sharedVariableName))
        calls.push_back(call);
  return calls;
}

uint64_t indexOf(const CallInst &call) {
  return cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
}

/// Returns whether memory at `address` is only stored to, as far as this function knows.
bool isOnlyStoredTo(const Value &address) {
  return all_of(address.uses(), [](const Use &use) {
    const User *user = use.getUser();
    if (auto *store = dyn_cast<StoreInst>(user))
      return store->getPointerOperandIndex() == use.getOperandNo();
    return isa<GetElementPtrInst, AddrSpaceCastInst>(user) && isOnlyStoredTo(*user);
  });
}

} // namespace

SharedVariables liftSharedVariables(Module &module) {
  SharedVariables result;
  SmallVector<GlobalVariable *> variables;
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == sharedSpace)
      variables.push_back(&variable);
  const DataLayout &layout = module.getDataLayout();
  for (GlobalVariable *variable : variables) {
    uint64_t bytes = variable->isDeclaration()
                         ? 0
                         : layout.getTypeAllocSize(variable->getValueType()).getFixedValue();
    Align align = variable->getAlign().value_or(layout.getABITypeAlign(variable->getValueType()));
    replaceUses(*variable, result.variables.size());
    result.variables.push_back({bytes, align});
    variable->removeDeadConstantUsers();
    if (variable->use_empty())
      variable->eraseFromParent();
  }
  return result;
}

SharedLayout::SharedLayout(Module &module, ArrayRef<Function *> kernels,
                           const SharedVariables &variables, uint64_t gapBytes)
    : shared(variables), gapBytes(gapBytes), commonOffsets(variables.variables.size(), -1) {
  Calls calls(module);
  for (Function *kernel : kernels) {
    BitVector &used = inCalls[kernel];
    used.resize(shared.variables.size());
    for (Function *function : calls.calledFrom(*kernel))
      used |= usedBy(*function);
  }
  for (Function &function : module)
    if (!is_contained(kernels, &function))
      for (unsigned variable : usedBy(function).set_bits())
        if (commonOffsets[variable] < 0)
          placeAmong(variable, kernels);
  neverRead = onlyStored(module);
}

/// Returns the variables of known size that the function uses.
BitVector SharedLayout::usedBy(Function &function) const {
  BitVector used(shared.variables.size());
  for (CallInst *call : callsIn(function))
    if (shared.variables[indexOf(*call)].bytes)
      used.set(indexOf(*call));
  return used;
}

BitVector SharedLayout::onlyStored(Module &module) const {
  BitVector stored(shared.variables.size(), true);
  for (Function &function : module)
    for (CallInst *call : callsIn(function))
      if (!isOnlyStoredTo(*call))
        stored.reset(indexOf(*call));
  return stored;
}

/// Gives a variable bytes that no kernel using it uses for another variable.
void SharedLayout::placeAmong(unsigned variable, ArrayRef<Function *> kernels) {
  uint64_t bytes = 0;
  for (Function *kernel : kernels)
    if (inCalls[kernel].test(variable))
      bytes = std::max(bytes, endOf(commonOffsets, inCalls[kernel]));
  commonOffsets[variable] = startAfter(bytes, variable);
}

/// Returns the end of the variables of `used` that are placed.
uint64_t SharedLayout::endOf(const Offsets &offsets, const BitVector &used) const {
  uint64_t end = 0;
  for (unsigned variable : used.set_bits())
    if (offsets[variable] >= 0)
      end = std::max(end, offsets[variable] + shared.variables[variable].bytes);
  return end;
}

/// Returns where a variable may lie behind those that end at `end`.
uint64_t SharedLayout::startAfter(uint64_t end, unsigned variable) const {
  return alignTo(end ? end + gapBytes : 0, shared.variables[variable].align);
}

void SharedLayout::findGaps(const Function &kernel, const Offsets &offsets, uint64_t end) {
  SmallVector<std::pair<uint64_t, uint64_t>> placed; // offset, end
  for (auto [offset, variable] : zip(offsets, shared.variables))
    if (offset >= 0)
      placed.push_back({offset, offset + variable.bytes});
  sort(placed);
  std::vector<SharedGap> &found = gaps[&kernel];
  for (size_t i = 0; i < placed.size(); ++i) {
    uint64_t next = i + 1 < placed.size() ? placed[i + 1].first : end;
    found.push_back({placed[i].second, next - placed[i].second});
  }
}

/// Returns the padded static bytes of the running kernel, in a function that several kernels call.
static Value *staticBytesIn(IRBuilder<> &builder, Module &module) {
  FunctionCallee special =
      module.getOrInsertFunction(specialName, builder.getInt32Ty(), builder.getInt32Ty());
  auto *callee = cast<Function>(special.getCallee());
  callee->setDoesNotAccessMemory();
  callee->setDoesNotThrow();
  callee->setWillReturn();
  Value *bytes = builder.CreateCall(special, builder.getInt32(REGRAIN_STATIC_SHARED_BYTES));
  return builder.CreateZExt(bytes, builder.getInt64Ty());
}

/// Replaces the calls in `function`. `staticBytes` is null in a function that is not a kernel.
void SharedLayout::replace(Function &function, const Offsets &offsets,
                           std::optional<uint64_t> staticBytes) const {
  Module &module = *function.getParent();
  IRBuilder<> builder(function.getContext());
  FunctionCallee base = module.getOrInsertFunction(sharedBaseName, builder.getPtrTy());
  for (CallInst *call : callsIn(function)) {
    builder.SetInsertPoint(call);
    unsigned variable = indexOf(*call);
    Value *offset = shared.variables[variable].bytes ? builder.getInt64(offsets[variable])
                    : staticBytes                    ? builder.getInt64(*staticBytes)
                                                     : staticBytesIn(builder, module);
    call->replaceAllUsesWith(
        builder.CreateInBoundsGEP(builder.getInt8Ty(), builder.CreateCall(base), offset));
    call->eraseFromParent();
  }
}

/// Replaces REGRAIN_STATIC_SHARED_BYTES in a kernel by its value.
static void replaceStaticBytes(Function &kernel, uint64_t bytes) {
  for (Instruction &inst : make_early_inc_range(instructions(kernel))) {
    CallInst *call = callOf(inst, specialName);
    if (!call || !match(call->getArgOperand(0), m_SpecificInt(REGRAIN_STATIC_SHARED_BYTES)))
      continue;
    call->replaceAllUsesWith(ConstantInt::get(call->getType(), bytes));
    call->eraseFromParent();
  }
}

uint64_t SharedLayout::declaredBytes(Function &kernel) const {
  BitVector used = inCalls.find(&kernel)->second;
  used |= usedBy(kernel);
  used.reset(neverRead);
  uint64_t bytes = 0;
  for (unsigned variable : used.set_bits())
    bytes = alignTo(bytes, shared.variables[variable].align) + shared.variables[variable].bytes;
  return bytes;
}

uint64_t SharedLayout::place(Function &kernel) {
  const BitVector &used = inCalls.find(&kernel)->second;
  Offsets offsets(shared.variables.size(), -1);
  for (unsigned variable : used.set_bits())
    offsets[variable] = commonOffsets[variable];
  uint64_t bytes = endOf(offsets, used);
  for (unsigned variable : usedBy(kernel).set_bits())
    if (offsets[variable] < 0) {
      offsets[variable] = startAfter(bytes, variable);
      bytes = offsets[variable] + shared.variables[variable].bytes;
    }
  if (bytes)
    bytes += gapBytes;
  uint64_t padded = alignTo(bytes, sharedPadding);
  if (gapBytes)
    findGaps(kernel, offsets, padded);
  replace(kernel, offsets, padded);
  replaceStaticBytes(kernel, padded);
  return bytes;
}

void SharedLayout::placeCommon(Function &function) {
  replace(function, commonOffsets, std::nullopt);
}

} // namespace regrain::cpu
