//===- ProductFunctions.cpp - Functions that end in a product -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/ProductFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace {

/// Returns whether libdevice's function of that name ends in a product, and has no branches: both
/// factors repeat the function, and LLVM makes one of equal operations, but not of equal branches.
bool endsInProduct(StringRef name) {
  return StringSwitch<bool>(name)
      .Cases("__nv_expf", "__nv_exp10f", "__nv_fast_logf", "__nv_fast_log10f", true)
      .Default(false);
}

/// Returns the function's name without the suffix of a factor; empty if it is no factor.
StringRef nameOfProduct(const Function &function) {
  StringRef name = function.getName();
  bool isFactor = function.isDeclaration() && (name.consume_back(regrain::multiplicandSuffix) ||
                                               name.consume_back(regrain::multiplierSuffix));
  return isFactor && endsInProduct(name) ? name : StringRef();
}

bool isMultiplicand(const Function &function) {
  return function.getName().ends_with(regrain::multiplicandSuffix);
}

/// Returns the functions that return a factor and have no definition yet.
SmallVector<Function *> undefinedFactors(Module &module) {
  SmallVector<Function *> found;
  for (Function &function : module)
    if (!nameOfProduct(function).empty())
      found.push_back(&function);
  return found;
}

Value *callFactor(CallInst &call, StringRef suffix) {
  Function *product = call.getCalledFunction();
  FunctionCallee callee = call.getModule()->getOrInsertFunction(
      (product->getName() + suffix).str(), product->getFunctionType(), product->getAttributes());
  auto *factor = cast<CallInst>(call.clone());
  factor->setCalledFunction(callee);
  factor->insertBefore(&call);
  return factor;
}

/// Returns the only return of `function` if it returns a product, and null otherwise.
ReturnInst *returnOfProduct(Function &function) {
  ReturnInst *only = nullptr;
  for (BasicBlock &block : function)
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator())) {
      auto *product = dyn_cast<BinaryOperator>(end->getReturnValue());
      if (only || !product || product->getOpcode() != Instruction::FMul)
        return nullptr;
      only = end;
    }
  return only;
}

/// Replaces the declaration `factor` by `product`, changed to return one factor.
void define(Function &factor, Function &product) {
  ValueToValueMapTy values;
  Function *copy = CloneFunction(&product, values);
  ReturnInst *end = returnOfProduct(*copy);
  auto *returned = cast<BinaryOperator>(end->getReturnValue());
  end->setOperand(0, returned->getOperand(isMultiplicand(factor) ? 0 : 1));
  if (returned->use_empty())
    returned->eraseFromParent();
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->takeName(&factor);
  factor.replaceAllUsesWith(copy);
  factor.eraseFromParent();
}

} // namespace

bool regrain::returnsProduct(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->isDeclaration() && call.getType()->isFloatTy() &&
         call.hasAllowContract() && endsInProduct(callee->getName());
}

void regrain::exposeProduct(CallInst &call) {
  IRBuilder<> builder(&call);
  builder.setFastMathFlags(call.getFastMathFlags());
  Value *multiplicand = callFactor(call, multiplicandSuffix);
  Value *product = builder.CreateFMul(multiplicand, callFactor(call, multiplierSuffix));
  product->takeName(&call);
  call.replaceAllUsesWith(product);
  call.eraseFromParent();
}

void regrain::declareProductFunctions(Module &module) {
  for (Function *factor : undefinedFactors(module))
    module.getOrInsertFunction(nameOfProduct(*factor), factor->getFunctionType(),
                               factor->getAttributes());
}

void regrain::defineFactors(Module &module) {
  for (Function *factor : undefinedFactors(module))
    if (Function *product = module.getFunction(nameOfProduct(*factor));
        product && !product->isDeclaration() && returnOfProduct(*product))
      define(*factor, *product);
}

void regrain::joinFactors(Module &module) {
  declareProductFunctions(module);
  for (Function *factor : undefinedFactors(module)) {
    Function *product = module.getFunction(nameOfProduct(*factor));
    if (isMultiplicand(*factor))
      factor->replaceAllUsesWith(product);
    for (User *user : make_early_inc_range(factor->users())) {
      auto *call = cast<CallInst>(user);
      call->replaceAllUsesWith(ConstantFP::get(call->getType(), 1));
      call->eraseFromParent();
    }
    factor->eraseFromParent();
  }
}
