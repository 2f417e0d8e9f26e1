//===- UniteShared.cpp - One variable of shared memory per kernel ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/UniteShared.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/Target/Reach.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;
using regrain::sharedSpace;

/// The maximum bytes of one access (PTX ISA, "Vectors").
static constexpr uint64_t widestAccess = 16;

/// Returns whether only instructions of `kernel` use `value`.
static bool isOwnOf(const Function &kernel, const Value &value) {
  return all_of(value.users(), [&](const User *user) {
    if (auto *instruction = dyn_cast<Instruction>(user))
      return instruction->getFunction() == &kernel;
    return isa<ConstantExpr>(user) && isOwnOf(kernel, *user);
  });
}

static SmallVector<GlobalVariable *> ownVariables(Module &module, const Function &kernel) {
  SmallVector<GlobalVariable *> own;
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == sharedSpace && variable.hasLocalLinkage() &&
        !variable.use_empty() && isOwnOf(kernel, variable))
      own.push_back(&variable);
  return own;
}

/// Replaces the uses of `old` by `base` + `offset` bytes. The offset is added last, after
/// everything that is added to an address, so that it becomes part of the access.
static void replaceBy(Instruction *old, Value *base, uint64_t offset);

static Value *addBefore(Instruction &user, Value *base, uint64_t offset) {
  return IRBuilder<>(&user).CreatePtrAdd(
      base, ConstantInt::get(Type::getInt64Ty(user.getContext()), offset));
}

static void replaceUses(Value &old, Value *base, uint64_t offset) {
  // A block that leads to a phi by several edges passes the same value along all of them.
  DenseMap<BasicBlock *, Value *> brought;
  for (Use &use : make_early_inc_range(old.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    bool addsToAddress = isa<GetElementPtrInst>(user) &&
                         use.getOperandNo() == GetElementPtrInst::getPointerOperandIndex();
    if (addsToAddress || isa<AddrSpaceCastInst>(user)) {
      replaceBy(user, base, offset);
      continue;
    }
    auto *phi = dyn_cast<PHINode>(user);
    if (!phi) {
      use.set(addBefore(*user, base, offset));
      continue;
    }
    BasicBlock *from = phi->getIncomingBlock(use);
    Value *&value = brought[from];
    if (!value)
      value = addBefore(*from->getTerminator(), base, offset);
    use.set(value);
  }
}

static void replaceBy(Instruction *old, Value *base, uint64_t offset) {
  Instruction *fresh = old->clone();
  fresh->insertBefore(old);
  fresh->setOperand(0, base);
  replaceUses(*old, fresh, offset);
  old->eraseFromParent();
}

static void unite(Module &module, Function &kernel) {
  SmallVector<GlobalVariable *> variables = ownVariables(module, kernel);
  if (variables.size() < 2)
    return;
  const DataLayout &layout = module.getDataLayout();
  SmallVector<uint64_t> offsets;
  uint64_t bytes = 0;
  Align strictest;
  for (GlobalVariable *variable : variables) {
    Align align = layout.getValueOrABITypeAlignment(variable->getAlign(), variable->getValueType());
    strictest = std::max(strictest, align);
    offsets.push_back(alignTo(bytes, align));
    bytes = offsets.back() + layout.getTypeAllocSize(variable->getValueType());
  }
  Type *type = ArrayType::get(Type::getInt8Ty(module.getContext()), bytes);
  auto *all = new GlobalVariable(module, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
                                 UndefValue::get(type), "shared", nullptr,
                                 GlobalValue::NotThreadLocal, sharedSpace);
  all->setAlignment(strictest);
  SmallVector<Constant *> constants(variables.begin(), variables.end());
  convertUsersOfConstantsToInstructions(constants);
  for (auto [variable, offset] : zip_equal(variables, offsets)) {
    replaceUses(*variable, all, offset);
    variable->eraseFromParent();
  }
}

void regrain::nvptx::alignShared(Module &module, ArrayRef<std::string> kernels, uint64_t most) {
  const DataLayout &layout = module.getDataLayout();
  SmallVector<std::pair<GlobalVariable *, MaybeAlign>> before;
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == sharedSpace && variable.hasLocalLinkage() &&
        variable.getAlign().valueOrOne() < widestAccess &&
        layout.getTypeAllocSize(variable.getValueType()) >= widestAccess) {
      before.push_back({&variable, variable.getAlign()});
      variable.setAlignment(Align(widestAccess));
    }
  bool isTooMuch = any_of(kernels, [&](const std::string &symbol) {
    const Function *kernel = module.getFunction(symbol);
    return kernel && staticSharedBytes(*kernel) > most;
  });
  if (isTooMuch)
    for (auto [variable, alignment] : before)
      variable->setAlignment(alignment);
}

void regrain::nvptx::alignDynamicShared(Module &module) {
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == sharedSpace && variable.isDeclaration())
      variable.setAlignment(std::max(variable.getAlign().valueOrOne(), Align(widestAccess)));
}

bool regrain::nvptx::hasAlignedShared(const Module &module) {
  const DataLayout &layout = module.getDataLayout();
  return any_of(module.globals(), [&](const GlobalVariable &variable) {
    return variable.getAddressSpace() == sharedSpace &&
           variable.getAlign().valueOrOne() > layout.getABITypeAlign(variable.getValueType());
  });
}

void regrain::nvptx::uniteShared(Module &module, ArrayRef<std::string> kernels) {
  for (const std::string &symbol : kernels)
    if (Function *kernel = module.getFunction(symbol)) // otherwise it was removed
      unite(module, *kernel);
}
