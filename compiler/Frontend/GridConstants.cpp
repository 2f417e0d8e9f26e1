//===- GridConstants.cpp - Parameters that no thread copies ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/GridConstants.h"

#include "compiler/Frontend/GridConstantRules.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace regrain {
namespace {

/// Returns whether `call` is clang's for a variable with our annotation.
bool isAnnotation(const IntrinsicInst &call) {
  if (call.getIntrinsicID() != Intrinsic::var_annotation)
    return false;
  auto *text = dyn_cast<GlobalVariable>(call.getArgOperand(1)->stripPointerCasts());
  auto *content = text && text->hasInitializer()
                      ? dyn_cast<ConstantDataArray>(text->getInitializer())
                      : nullptr;
  return content && content->isCString() && content->getAsCString() == gridConstantAnnotation;
}

/// Removes the annotations of a function and returns the variables: parameters in memory, and
/// those in which clang stores the others.
SmallVector<Value *> takeVariables(Function &function) {
  SmallVector<Value *> variables;
  SmallVector<Instruction *> annotations;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction); call && isAnnotation(*call)) {
      variables.push_back(call->getArgOperand(0)->stripPointerCasts());
      annotations.push_back(call);
    }
  for (Instruction *annotation : annotations)
    annotation->eraseFromParent();
  return variables;
}

/// Follows the address of a variable through arithmetic, references and calls.
class LeavesReads {
public:
  /// Returns whether the address may be used for anything but to read the variable.
  bool operator()(const Value &address) {
    return seen.insert(&address).second &&
           any_of(address.uses(), [this](const Use &use) { return byUse(use); });
  }

private:
  bool byUse(const Use &use) {
    const User *user = use.getUser();
    if (isa<GetElementPtrInst, AddrSpaceCastInst, PHINode, SelectInst>(user))
      return (*this)(*user);
    if (auto *store = dyn_cast<StoreInst>(user)) // to the variable: only clang's first one is legal
      return store->getValueOperand() == use.get() && byReference(*store->getPointerOperand());
    if (auto *call = dyn_cast<CallBase>(user))
      return byCall(*call, use);
    if (isa<ReturnInst>(user))
      return byResult(*cast<Instruction>(user)->getFunction());
    return !isa<LoadInst>(user);
  }

  /// A reference lies in a variable that is only stored and loaded as a whole.
  bool byReference(const Value &place) {
    return !isa<AllocaInst>(place) || any_of(place.users(), [&](const User *user) {
      auto *store = dyn_cast<StoreInst>(user);
      if (isa<LoadInst>(user))
        return (*this)(*user);
      return !(store && store->getPointerOperand() == &place);
    });
  }

  bool byCall(const CallBase &call, const Use &use) {
    if (call.isLifetimeStartOrEnd())
      return false;
    const Function *callee = call.getCalledFunction();
    if (!callee || callee->isDeclaration() || !call.isArgOperand(&use))
      return true;
    unsigned number = call.getArgOperandNo(&use);
    return number >= callee->arg_size() || (*this)(*callee->getArg(number));
  }

  bool byResult(const Function &function) {
    return any_of(function.users(), [&](const User *user) {
      auto *call = dyn_cast<CallBase>(user);
      return !call || call->getCalledOperand() != &function || (*this)(*call);
    });
  }

  SmallPtrSet<const Value *, 32> seen;
};

/// Returns the parameter whose value clang stores in a variable of its own.
Argument *storedIn(AllocaInst &variable) {
  for (User *user : variable.users())
    if (auto *store = dyn_cast<StoreInst>(user); store && store->getPointerOperand() == &variable) {
      Value *value = store->getValueOperand();
      if (auto *widened = dyn_cast<ZExtInst>(value)) // a bool
        value = widened->getOperand(0);
      if (auto *parameter = dyn_cast<Argument>(value))
        return parameter;
    }
  return nullptr;
}

using Moved = MapVector<Argument *, AllocaInst *>;

/// Removes what stores the parameter in the variable.
void dropFirstStore(AllocaInst &variable) {
  for (User *user : make_early_inc_range(variable.users()))
    if (auto *store = dyn_cast<StoreInst>(user); store && store->getPointerOperand() == &variable) {
      auto *widened = dyn_cast<ZExtInst>(store->getValueOperand());
      store->eraseFromParent();
      if (widened && widened->use_empty())
        widened->eraseFromParent();
    }
}

/// Replaces a kernel by one that takes the parameters in `moved` in memory, as their variables are.
void takeInMemory(Function &old, const Moved &moved) {
  SmallVector<Type *> types;
  for (Argument &argument : old.args())
    types.push_back(moved.contains(&argument) ? PointerType::get(old.getContext(), 0)
                                              : argument.getType());
  auto *kernel = Function::Create(FunctionType::get(old.getReturnType(), types, old.isVarArg()),
                                  old.getLinkage(), old.getAddressSpace());
  old.getParent()->getFunctionList().insert(old.getIterator(), kernel);
  kernel->takeName(&old);
  kernel->copyAttributesFrom(&old);
  kernel->setComdat(old.getComdat());
  kernel->copyMetadata(&old, 0);
  kernel->splice(kernel->begin(), &old);
  old.replaceAllUsesWith(kernel);
  for (Argument &before : old.args()) {
    Argument &after = *kernel->getArg(before.getArgNo());
    after.takeName(&before);
    AllocaInst *variable = moved.lookup(&before);
    if (!variable) {
      before.replaceAllUsesWith(&after);
      continue;
    }
    dropFirstStore(*variable);
    kernel->setAttributes(
        kernel->getAttributes().removeParamAttributes(kernel->getContext(), after.getArgNo()));
    AttrBuilder attributes(kernel->getContext());
    attributes.addByValAttr(variable->getAllocatedType())
        .addAlignmentAttr(variable->getAlign())
        .addAttribute(Attribute::ReadOnly)
        .addAttribute(Attribute::NoAlias)
        .addAttribute(Attribute::NoUndef);
    after.addAttrs(attributes);
    variable->replaceAllUsesWith(&after);
    variable->eraseFromParent();
  }
  old.eraseFromParent();
}

void keepGridConstants(Function &function) {
  Moved moved;
  for (Value *variable : takeVariables(function)) {
    if (auto *parameter = dyn_cast<Argument>(variable); parameter && parameter->hasByValAttr()) {
      parameter->addAttr(Attribute::ReadOnly);
      parameter->addAttr(Attribute::NoAlias);
      continue;
    }
    auto *own = dyn_cast<AllocaInst>(variable);
    Argument *parameter = own ? storedIn(*own) : nullptr;
    if (parameter && LeavesReads()(*own))
      moved[parameter] = own;
  }
  if (!moved.empty())
    takeInMemory(function, moved);
}

} // namespace

void keepGridConstants(Module &device) {
  for (Function &function : make_early_inc_range(device))
    keepGridConstants(function);
}

} // namespace regrain
