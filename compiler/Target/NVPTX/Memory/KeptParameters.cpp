//===- KeptParameters.cpp - Parameters in their place ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/KeptParameters.h"

#include "compiler/DeviceIR/Annotations.h"
#include "compiler/Target/NVPTX/ControlFlow/BlockUniformity.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Keeps one parameter in its place.
class KeptParameter {
public:
  KeptParameter(Argument &parameter, const Loads &scattered)
      : parameter(parameter), scattered(scattered) {}

  void run() {
    SmallVector<Use *> uses;
    collectUses(parameter, uses);
    for (Use *use : uses)
      use->set(&generic(*use->get()));
  }

private:
  /// Collects the uses of an address, and of addresses at offsets from it, that the parameter's own
  /// space does not serve.
  void collectUses(Value &address, SmallVectorImpl<Use *> &uses) {
    for (Use &use : address.uses()) {
      User *user = use.getUser();
      if (isa<GetElementPtrInst>(user))
        collectUses(*user, uses);
      else if (auto *load = dyn_cast<LoadInst>(user); !load || isScattered(*load))
        uses.push_back(&use);
    }
  }

  bool isScattered(const LoadInst &load) const {
    return load.isSimple() && scattered.contains(&load);
  }

  /// Returns the generic address of the parameter. LLVM names parameters in this way.
  Value &base() {
    Function &kernel = *parameter.getParent();
    std::string name = (kernel.getName() + "_param_" + Twine(parameter.getArgNo())).str();
    std::string text =
        "{ .reg .b64 %place; mov.b64 %place, " + name + "; cvta.param.u64 $0, %place; }";
    auto *type = FunctionType::get(parameter.getType(), false);
    IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
    CallInst *call = builder.CreateCall(InlineAsm::get(type, text, "=l", /*hasSideEffects=*/false));
    call->setDoesNotAccessMemory();
    call->setDoesNotThrow();
    return *call;
  }

  /// Returns the generic address in place of `address`.
  Value &generic(Value &address) {
    if (Value *known = addresses.lookup(&address))
      return *known;
    Value *made = nullptr;
    if (auto *offset = dyn_cast<GetElementPtrInst>(&address)) {
      Instruction *copy = offset->clone();
      copy->setOperand(0, &generic(*offset->getPointerOperand()));
      copy->insertAfter(offset);
      made = copy;
    } else {
      made = &base();
    }
    addresses[&address] = made;
    return *made;
  }

  Argument &parameter;
  const Loads &scattered;
  DenseMap<const Value *, Value *> addresses;
};

} // namespace

void keepParameters(Module &module, unsigned capability, bool cachesLoads) {
  if (capability < 70)
    return;
  for (const GlobalValue *kernel : annotatedWith(module, "kernel")) {
    Function &function = *module.getFunction(kernel->getName());
    auto isKept = [](const Argument &parameter) {
      return parameter.hasByValAttr() && parameter.onlyReadsMemory();
    };
    if (function.isDeclaration() || none_of(function.args(), isKept))
      continue;
    Loads scattered = cachesLoads ? findScatteredLoads(function) : Loads();
    for (Argument &parameter : function.args())
      if (isKept(parameter))
        KeptParameter(parameter, scattered).run();
  }
}

} // namespace regrain::nvptx
