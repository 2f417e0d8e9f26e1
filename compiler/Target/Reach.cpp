//===- Reach.cpp - What a kernel refers to --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Reach.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/Annotations.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace regrain {

static bool isUnresolved(const GlobalValue &value, DefinedLater definedLater) {
  if (!value.isDeclaration())
    return false;
  if (auto *function = dyn_cast<Function>(&value))
    return !function->isIntrinsic() && !definedLater(function->getName());
  return value.getAddressSpace() != sharedSpace;
}

void findUnresolved(const Module &module, ArrayRef<std::string> kernels, DefinedLater definedLater,
                    RefusedKernels &refused) {
  for (const std::string &symbol : kernels) {
    std::string names;
    for (const GlobalValue *value : reachableFrom(*module.getFunction(symbol)))
      if (isUnresolved(*value, definedLater))
        names += (names.empty() ? "" : ", ") + value->getName().str();
    if (!names.empty())
      refused.try_emplace(symbol,
                          Refusal{RefusalKind::Undefined,
                                  "it refers to " + names + ", for which no definition was found"});
  }
}

/// Returns whether the value of a constant is the address of a function, or contains one.
static bool containsFunction(const Constant &constant) {
  const auto *value = dyn_cast<GlobalValue>(&constant);
  if (value)
    return isa_and_nonnull<Function>(value->getAliaseeObject());
  return any_of(constant.operands(), [](const Use &operand) {
    auto *part = dyn_cast<Constant>(operand);
    return part && containsFunction(*part);
  });
}

static bool usesFunctionPointers(const Function &function) {
  for (const Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (call && call->isIndirectCall())
      return true;
    for (const Use &operand : instruction.operands())
      if (auto *constant = dyn_cast<Constant>(operand);
          constant && containsFunction(*constant) && !(call && call->isCallee(&operand)))
        return true;
  }
  return false;
}

/// Returns whether a function calls through pointers or names functions, or a variable contains
/// the address of one, as a table of virtual functions does.
static bool usesFunctionPointers(const GlobalValue &value) {
  if (auto *function = dyn_cast<Function>(&value))
    return usesFunctionPointers(*function);
  auto *variable = dyn_cast<GlobalVariable>(&value);
  return variable && variable->hasInitializer() && containsFunction(*variable->getInitializer());
}

void findFunctionPointers(const Module &module, ArrayRef<std::string> kernels,
                          RefusedKernels &refused) {
  for (const std::string &symbol : kernels) {
    const Function *kernel = module.getFunction(symbol);
    if (!kernel)
      continue;
    for (const GlobalValue *value : reachableFrom(*kernel))
      if (usesFunctionPointers(*value))
        refused.try_emplace(symbol, Refusal{RefusalKind::FunctionPointer,
                                            "it uses function pointers, and a function has "
                                            "a different address in each alternative's module"});
  }
}

std::optional<Refusal> checkDeclaredShared(uint64_t bytes, uint64_t limit) {
  if (bytes <= limit)
    return std::nullopt;
  return Refusal{RefusalKind::SharedMemory, "its blocks declare " + std::to_string(bytes) +
                                                " bytes of shared memory, and no more than " +
                                                std::to_string(limit) + " can be declared"};
}

void findTooMuchShared(const Module &module, ArrayRef<std::string> kernels, uint64_t limit,
                       RefusedKernels &refused) {
  for (const std::string &symbol : kernels) {
    const Function *kernel = module.getFunction(symbol);
    if (auto refusal = checkDeclaredShared(kernel ? staticSharedBytes(*kernel) : 0, limit))
      refused.try_emplace(symbol, std::move(*refusal));
  }
}

/// Deletes `function`, which nothing that is kept can reach.
static void erase(Function &function) {
  removeFromUsedLists(*function.getParent(),
                      [&](Constant *used) { return used->stripPointerCasts() == &function; });
  function.replaceAllUsesWith(PoisonValue::get(function.getType()));
  function.eraseFromParent();
}

void removeKernels(Module &module, const RefusedKernels &refused, DefinedLater definedLater) {
  for (const auto &[symbol, refusal] : refused)
    if (Function *kernel = module.getFunction(symbol)) {
      dropAnnotations(*kernel);
      erase(*kernel);
    }
  SmallVector<Function *> unusable;
  for (Function &function : module)
    if (!function.isDeclaration() && any_of(reachableFrom(function), [&](const GlobalValue *value) {
          return isUnresolved(*value, definedLater);
        }))
      unusable.push_back(&function);
  for (Function *function : unusable)
    function->deleteBody();
  for (Function *function : unusable)
    erase(*function);
}

uint64_t staticSharedBytes(const Function &kernel) {
  const DataLayout &layout = kernel.getParent()->getDataLayout();
  uint64_t bytes = 0;
  for (const GlobalValue *value : reachableFrom(kernel)) {
    auto *variable = dyn_cast<GlobalVariable>(value);
    if (!variable || variable->isDeclaration() || variable->getAddressSpace() != sharedSpace)
      continue;
    bytes = alignTo(bytes, variable->getAlign().valueOrOne());
    bytes += layout.getTypeAllocSize(variable->getValueType());
  }
  return bytes;
}

} // namespace regrain
