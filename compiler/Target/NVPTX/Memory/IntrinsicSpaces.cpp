//===- IntrinsicSpaces.cpp - In which memory intrinsics work --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/IntrinsicSpaces.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/Annotations.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

class Spaces {
public:
  explicit Spaces(Module &module) : kernels(annotatedWith(module, "kernel")) {}

  /// Returns the space of an object, or the generic one.
  unsigned of(const Value &object) const {
    if (auto *variable = dyn_cast<GlobalVariable>(&object))
      return variable->getAddressSpace();
    auto *argument = dyn_cast<Argument>(&object);
    return argument && !argument->hasByValAttr() && kernels.contains(argument->getParent())
               ? globalSpace
               : genericSpace;
  }

  /// Returns the space of all objects that a pointer may point to, or the generic one.
  unsigned behind(const Value &pointer) const {
    SmallVector<const Value *> objects;
    getUnderlyingObjects(&pointer, objects, nullptr, /*MaxLookup=*/0);
    unsigned space = of(*objects.front());
    return all_of(objects, [&](const Value *object) { return of(*object) == space; })
               ? space
               : unsigned(genericSpace);
  }

private:
  decltype(annotatedWith(std::declval<Module &>(), "")) kernels;
};

/// Whether an intrinsic accesses memory through its first operand, a pointer to any space.
bool takesAnySpace(const Function &function) {
  Intrinsic::ID id = function.getIntrinsicID();
  if (id == Intrinsic::nvvm_atomic_load_inc_32 || id == Intrinsic::nvvm_atomic_load_dec_32)
    return true;
  StringRef name = function.getName();
  return name.consume_front("llvm.nvvm.wmma.") &&
         (name.contains(".load.") || name.contains(".store."));
}

void name(IntrinsicInst &call, unsigned space) {
  IRBuilder<> builder(&call);
  SmallVector<Value *> arguments(call.args());
  arguments[0] = builder.CreateAddrSpaceCast(arguments[0], builder.getPtrTy(space));
  CallInst *named =
      builder.CreateIntrinsic(call.getIntrinsicID(), {arguments[0]->getType()}, arguments);
  named->takeName(&call);
  call.replaceAllUsesWith(named);
  call.eraseFromParent();
}

} // namespace

void nameIntrinsicSpaces(Module &module) {
  Spaces spaces(module);
  for (Function &function : make_early_inc_range(module)) {
    if (!takesAnySpace(function))
      continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = dyn_cast<IntrinsicInst>(user);
      if (!call || call->getArgOperand(0)->getType()->getPointerAddressSpace() != genericSpace)
        continue;
      if (unsigned space = spaces.behind(*call->getArgOperand(0)); space != genericSpace)
        name(*call, space);
    }
  }
}

} // namespace regrain::nvptx
