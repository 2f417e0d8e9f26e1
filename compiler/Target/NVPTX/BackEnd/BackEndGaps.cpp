//===- BackEndGaps.cpp - What LLVM's NVPTX target gets wrong --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/BackEnd/BackEndGaps.h"

#include "compiler/Target/NVPTX/BackEnd/LateRewrite.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <optional>

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// A type of PTX, and the register that holds it in inline assembly.
struct Operand {
  StringRef type;
  char constraint;
  bool isInteger;
};

/// Returns the type that the name of an intrinsic has.
std::optional<Operand> operandOf(StringRef name) {
  return StringSwitch<std::optional<Operand>>(name)
      .Case("i", Operand{"s32", 'r', true})
      .Case("ui", Operand{"u32", 'r', true})
      .Case("ll", Operand{"s64", 'l', true})
      .Case("ull", Operand{"u64", 'l', true})
      .Case("f", Operand{"f32", 'f', false})
      .Case("d", Operand{"f64", 'd', false})
      .Default(std::nullopt);
}

/// Returns the assembly for an intrinsic such as llvm.nvvm.i2f.rz, and null for other functions.
InlineAsm *conversionFor(const Function &function) {
  StringRef name = function.getName();
  if (!name.consume_front("llvm.nvvm."))
    return nullptr;
  bool flushes = name.consume_back(".ftz");
  if (!name.consume_back(".rz"))
    return nullptr;
  auto [fromName, toName] = name.split('2');
  std::optional<Operand> from = operandOf(fromName), to = operandOf(toName);
  if (!from || !to || from->isInteger == to->isInteger)
    return nullptr;
  std::string text = to->isInteger ? "cvt.rzi" : "cvt.rz";
  text += (Twine(flushes ? ".ftz." : ".") + to->type + "." + from->type + " $0, $1;").str();
  std::string constraints = {'=', to->constraint, ',', from->constraint};
  return InlineAsm::get(function.getFunctionType(), text, constraints, /*hasSideEffects=*/false);
}

/// The name of an intrinsic such as llvm.nvvm.cp.async.ca.shared.global.4.s.
struct AsynchronousCopy {
  StringRef cache, bytes;
};

std::optional<AsynchronousCopy> asynchronousCopyOf(const Function &function) {
  StringRef name = function.getName();
  if (!function.isDeclaration() || !name.consume_front("llvm.nvvm.cp.async."))
    return std::nullopt;
  name.consume_back(".s");
  auto [cache, bytes] = name.split(".shared.global.");
  return bytes.empty() ? std::nullopt : std::optional(AsynchronousCopy{cache, bytes});
}

/// Replaces a copy by its instruction. A third operand is how much is copied; the rest becomes
/// zero.
void writeAssembly(CallInst &call, const AsynchronousCopy &copy) {
  IRBuilder<> builder(&call);
  SmallVector<Value *> operands(call.args());
  operands[0] = builder.CreatePtrToInt(operands[0], builder.getInt32Ty());
  std::string length, constraints = "r,l";
  if (operands.size() > 2) {
    if (auto *known = dyn_cast<ConstantInt>(operands.pop_back_val())) {
      length = ", " + std::to_string(known->getZExtValue());
    } else {
      operands.push_back(call.getArgOperand(2));
      length = ", $2";
      constraints += ",r";
    }
  }
  SmallVector<Type *> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  auto *type = FunctionType::get(builder.getVoidTy(), types, /*isVarArg=*/false);
  std::string text =
      ("cp.async." + copy.cache + ".shared.global [$0], [$1], " + copy.bytes + length + ";").str();
  builder.CreateCall(type,
                     InlineAsm::get(type, text, constraints + ",~{memory}",
                                    /*hasSideEffects=*/true),
                     operands);
  call.eraseFromParent();
}

/// The least alignment beyond that of LLVM's stack pointer, which is 8.
const Align writtenAlignment(16);

bool forgetLoadedSigns(Function &function) {
  bool changed = false;
  for (Instruction &instruction : instructions(function))
    if (auto *zeros = dyn_cast<ZExtInst>(&instruction);
        zeros && zeros->hasNonNeg() && isa<LoadInst>(zeros->getOperand(0))) {
      zeros->setNonNeg(false);
      changed = true;
    }
  return changed;
}

} // namespace

void keepRoundingTowardsZero(Module &module) {
  for (Function &function : make_early_inc_range(module.functions())) {
    InlineAsm *conversion = function.isDeclaration() ? conversionFor(function) : nullptr;
    if (!conversion)
      continue;
    for (User *user : make_early_inc_range(function.users()))
      if (auto *call = dyn_cast<CallInst>(user))
        call->setCalledOperand(conversion);
    if (function.use_empty())
      function.eraseFromParent();
  }
}

void copyToShortAddresses(Module &module) {
  for (Function &function : make_early_inc_range(module.functions())) {
    std::optional<AsynchronousCopy> copy = asynchronousCopyOf(function);
    if (!copy)
      continue;
    for (User *user : make_early_inc_range(function.users()))
      writeAssembly(*cast<CallInst>(user), *copy);
    function.eraseFromParent();
  }
}

void alignDynamicStackMemory(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *memory = dyn_cast<AllocaInst>(&instruction); memory && !memory->isStaticAlloca())
        memory->setAlignment(std::max(memory->getAlign(), writtenAlignment));
}

FunctionPass *createForgetLoadedSigns() { return new LateRewrite<forgetLoadedSigns>(); }

} // namespace regrain::nvptx
