//===- Emitter.cpp - Inline PTX as LLVM IR --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Ptx/Emitter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regrain::ptx {

Emitter::Emitter(IRBuilder<> &builder, Registers &registers, const Instruction &instruction)
    : builder(builder), instruction(instruction), registers(registers),
      words(llvm::drop_begin(instruction.opcode)) {}

bool Emitter::take(StringRef word) {
  auto found = find(words, word);
  if (found == words.end())
    return false;
  words.erase(found);
  return true;
}

StringRef Emitter::takeAny(std::initializer_list<StringRef> choices) {
  for (StringRef word : choices)
    if (take(word))
      return word;
  return "";
}

AddressSpace Emitter::takeSpace() {
  return StringSwitch<AddressSpace>(
             takeAny({"global", "shared", "shared::cta", "shared::cluster", "local", "const"}))
      .Case("global", globalSpace)
      .Cases("shared", "shared::cta", "shared::cluster", sharedSpace)
      .Case("local", localSpace)
      .Case("const", constantSpace)
      .Default(genericSpace);
}

std::optional<Type> Emitter::takeType() {
  std::optional<Type> type = words.empty() ? std::nullopt : parseType(words.back());
  if (type)
    words.pop_back();
  return type;
}

bool Emitter::isRead(size_t operands) const {
  return words.empty() && instruction.operands.size() == operands;
}

llvm::Type *Emitter::llvmType(Type type) const {
  LLVMContext &context = builder.getContext();
  if (type.lanes == 2)
    return FixedVectorType::get(llvm::Type::getHalfTy(context), 2);
  if (!type.isFloat())
    return IntegerType::get(context, type.bits);
  return type.bits == 16   ? llvm::Type::getHalfTy(context)
         : type.bits == 32 ? llvm::Type::getFloatTy(context)
                           : llvm::Type::getDoubleTy(context);
}

/// Returns `value` as bits of `type`; a wider value is truncated if `cut` is set.
Value *Emitter::fitted(Value *value, llvm::Type *type, bool cut) {
  if (value->getType() == type)
    return value;
  if (value->getType()->isPointerTy())
    value = builder.CreatePtrToInt(value, builder.getInt64Ty());
  unsigned has = value->getType()->getPrimitiveSizeInBits(), wants = type->getPrimitiveSizeInBits();
  bool isNumber = isa<ConstantInt>(value) && type->isIntegerTy();
  if (isNumber)
    return builder.CreateSExtOrTrunc(value, type);
  if (has < wants || (has > wants && !cut) || (wants == 1) != (has == 1))
    return nullptr;
  value = builder.CreateBitCast(value, builder.getIntNTy(has));
  return builder.CreateBitCast(builder.CreateTrunc(value, builder.getIntNTy(wants)), type);
}

Value *Emitter::special(StringRef name, llvm::Type *type) {
  bool isWide = name == "clock64" || name == "globaltimer";
  unsigned bits = name == "is_explicit_cluster" ? 1 : isWide ? 64 : 32;
  llvm::Type *own = builder.getIntNTy(bits);
  std::string function = "nvvm_read_ptx_sreg_" + name.str();
  std::replace(function.begin(), function.end(), '.', '_');
  if (name == "dynamic_smem_size" || name == "total_smem_size")
    function = ("regrain_" + name).str();
  if (name == "WARP_SZ")
    function = "nvvm_read_ptx_sreg_warpsize";
  return fitted(call(function, own, {}), type, false);
}

Value *Emitter::readVariable(AllocaInst &variable) {
  return builder.CreateLoad(variable.getAllocatedType(), &variable);
}

Value *Emitter::value(const Operand &operand, llvm::Type *type, bool cut) {
  switch (operand.kind) {
  case Operand::Register:
    if (Value *read = fitted(readVariable(*registers.declared[operand.number]), type, cut))
      return operand.negated && type->isIntegerTy(1) ? builder.CreateNot(read)
             : operand.negated                       ? nullptr
                                                     : read;
    return nullptr;
  case Operand::Argument: {
    if (operand.number >= registers.arguments.size() || operand.negated)
      return nullptr;
    Value *argument = registers.arguments[operand.number];
    if (registers.isOutput[operand.number])
      argument = readVariable(*cast<AllocaInst>(argument));
    return fitted(argument, type, cut);
  }
  case Operand::Special:
    return operand.negated ? nullptr : special(operand.name, type);
  case Operand::Number:
    return type->isIntegerTy() ? ConstantInt::get(type, operand.number) : nullptr;
  case Operand::Floating: {
    Value *number =
        builder.CreateBitCast(builder.getIntN(operand.bits, operand.number),
                              operand.bits == 32 ? builder.getFloatTy() : builder.getDoubleTy());
    bool isRounded = type->isFloatTy() && operand.bits == 64;
    return isRounded ? builder.CreateFPTrunc(number, type) : fitted(number, type, false);
  }
  default:
    return nullptr;
  }
}

Value *Emitter::value(size_t index, Type type, bool cut) {
  return index < instruction.operands.size()
             ? value(instruction.operands[index], llvmType(type), cut)
             : nullptr;
}

bool Emitter::set(const Operand &operand, Value *value, bool extend, bool isSigned) {
  if (operand.kind == Operand::Sink)
    return true;
  AllocaInst *variable = nullptr;
  if (operand.kind == Operand::Register)
    variable = registers.declared[operand.number];
  else if (operand.kind == Operand::Argument && operand.number < registers.arguments.size() &&
           registers.isOutput[operand.number])
    variable = cast<AllocaInst>(registers.arguments[operand.number]);
  if (!variable || operand.negated)
    return false;
  llvm::Type *type = variable->getAllocatedType();
  unsigned has = value->getType()->getPrimitiveSizeInBits();
  unsigned wants = type->isPointerTy() ? 64 : unsigned(type->getPrimitiveSizeInBits());
  if (has > wants || (has < wants && !extend) || (wants == 1) != (has == 1))
    return false;
  value = builder.CreateBitCast(value, builder.getIntNTy(has));
  value = builder.CreateIntCast(value, builder.getIntNTy(wants), isSigned);
  value = type->isPointerTy() ? builder.CreateIntToPtr(value, type)
                              : builder.CreateBitCast(value, type);
  builder.CreateStore(value, variable);
  return true;
}

bool Emitter::set(size_t index, Value *value, bool extend, bool isSigned) {
  return index < instruction.operands.size() &&
         set(instruction.operands[index], value, extend, isSigned);
}

Value *Emitter::carry() { return registers.carryIsSet ? readVariable(*registers.carry) : nullptr; }

void Emitter::setCarry(Value *bit) {
  registers.carryIsSet = true;
  builder.CreateStore(bit, registers.carry);
}

CallInst *Emitter::call(StringRef name, llvm::Type *result, ArrayRef<Value *> arguments) {
  SmallVector<llvm::Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  FunctionCallee callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      name, FunctionType::get(result, types, false));
  return builder.CreateCall(callee, arguments);
}

} // namespace regrain::ptx
