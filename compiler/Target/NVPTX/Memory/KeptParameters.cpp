//===- KeptParameters.cpp - Parameters in their place ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/KeptParameters.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/Annotations.h"
#include "compiler/Target/NVPTX/ControlFlow/BlockUniformity.h"
#include "compiler/Target/NVPTX/Memory/GenericAddresses.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

bool isKept(const Argument &parameter) {
  return parameter.hasByValAttr() && parameter.onlyReadsMemory();
}

/// Collects the uses of an address, and of addresses at offsets from it, that the parameter's own
/// space does not serve.
void collectUses(Value &address, const Loads &scattered, SmallVectorImpl<Use *> &uses) {
  for (Use &use : address.uses()) {
    User *user = use.getUser();
    if (isa<GetElementPtrInst>(user))
      collectUses(*user, scattered, uses);
    else if (auto *load = dyn_cast<LoadInst>(user); !load || scattered.contains(load))
      uses.push_back(&use);
  }
}

void keepParameter(Argument &parameter, const Loads &scattered) {
  SmallVector<Use *> uses;
  collectUses(parameter, scattered, uses);
  if (uses.empty())
    return;
  Function &kernel = *parameter.getParent();
  // LLVM names parameters in this way.
  std::string name = (kernel.getName() + "_param_" + Twine(parameter.getArgNo())).str();
  GenericAddresses addresses(kernel, "{ .reg .b64 %place; mov.b64 %place, " + name +
                                         "; cvta.param.u64 $0, %place; }");
  for (Use *use : uses)
    use->set(&addresses.of(*use->get()));
}

/// Lets loads of constant variables go through the cache.
void cacheConstants(Function &kernel, const Loads &scattered) {
  DenseMap<const GlobalVariable *, GenericAddresses> addresses;
  SmallVector<LoadInst *> loads;
  for (Instruction &instruction : instructions(kernel))
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && scattered.contains(load))
      loads.push_back(load);
  for (LoadInst *load : loads) {
    auto *variable = dyn_cast<GlobalVariable>(&rootOf(*load->getPointerOperand()));
    if (!variable || variable->getAddressSpace() != constantSpace)
      continue;
    auto *generic = ConstantExpr::getAddrSpaceCast(
        variable, PointerType::get(kernel.getContext(), genericSpace));
    auto [own, isNew] = addresses.try_emplace(variable, kernel, "mov.b64 $0, $1;", generic);
    load->setOperand(LoadInst::getPointerOperandIndex(),
                     &own->second.of(*load->getPointerOperand()));
  }
}

} // namespace

void keepParameters(Module &module, unsigned capability, bool cachesLoads) {
  if (capability < 70)
    return;
  for (const GlobalValue *kernel : annotatedWith(module, "kernel")) {
    Function &function = *module.getFunction(kernel->getName());
    if (function.isDeclaration())
      continue;
    Loads scattered = cachesLoads ? findScatteredLoads(function) : Loads();
    for (Argument &parameter : function.args())
      if (isKept(parameter))
        keepParameter(parameter, scattered);
    cacheConstants(function, scattered);
  }
}

} // namespace regrain::nvptx
