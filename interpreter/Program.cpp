//===- Program.cpp - Memory and constants of a device module --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Program.h"
#include "compiler/DeviceIR/AddressSpaces.h"
#include "interpreter/WideIntegers.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace regrain;

Program::Program(const Module &module, const DeviceMemory &memory, uint64_t dynamicSharedBytes)
    : memory(memory), dataLayout(module.getDataLayout()), addressSpaces(module),
      dynamicBytes(dynamicSharedBytes) {
  layOutShared(module);
  for (const llvm::Function &function : module) {
    addresses[&function] = functionWindow + 16 * functions.size();
    functions.push_back(&function);
  }
}

/// Arrays of unknown size are the dynamic shared memory; all of them have one
/// address, after the other variables.
void Program::layOutShared(const Module &module) {
  constexpr uint64_t gap = 256;
  uint64_t next = 0, base = AddressSpaces::sharedBase();
  SmallVector<const GlobalVariable *> dynamic;
  for (const GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != sharedSpace)
      continue;
    uint64_t size = dataLayout.getTypeAllocSize(variable.getValueType());
    if (variable.isDeclaration() || size == 0) {
      dynamic.push_back(&variable);
      continue;
    }
    next = alignTo(next, std::max<uint64_t>(variable.getAlign().valueOrOne().value(), 16));
    addresses[&variable] = next;
    shared.emplace_back(base + next, size);
    next = alignTo(next + size, gap) + gap;
  }
  staticBytes = next;
  for (const GlobalVariable *variable : dynamic)
    addresses[variable] = next;
  if (dynamicBytes)
    shared.emplace_back(base + next, dynamicBytes);
}

std::vector<MemoryRegion> Program::sharedMemory() const {
  std::vector<MemoryRegion> regions;
  for (auto [address, size] : shared)
    regions.emplace_back(address, size);
  return regions;
}

const llvm::Function *Program::at(uint64_t address) const {
  uint64_t index = (address - functionWindow) / 16;
  return address >= functionWindow && address % 16 == 0 && index < functions.size()
             ? functions[index]
             : nullptr;
}

/// clang declares the objects of the coordinates; their members read registers,
/// and the objects themselves have an address but no contents.
static bool isCoordinateObject(StringRef name) {
  return name == "threadIdx" || name == "blockIdx" || name == "blockDim" || name == "gridDim";
}

std::optional<uint64_t> Program::addressOf(const GlobalValue &value) {
  constexpr uint64_t noContent = 0x100;
  if (auto found = addresses.find(&value); found != addresses.end())
    return found->second;
  if (value.isDeclaration() && isCoordinateObject(value.getName()))
    return noContent;
  std::optional<uint64_t> address = memory.addressOf(value.getName());
  if (!address && missing.empty())
    missing = value.getName().str();
  return address;
}

int32_t Program::constantSlot(const Constant &constant) {
  if (auto found = slots.find(&constant); found != slots.end())
    return found->second;
  SmallVector<Scalar> values;
  if (!evaluate(constant, values))
    return 0;
  int32_t slot = ~static_cast<int32_t>(constants.size());
  constants.insert(constants.end(), values.begin(), values.end());
  slots[&constant] = slot;
  return slot;
}

bool Program::evaluate(const Constant &constant, SmallVectorImpl<Scalar> &out) {
  if (auto *integer = dyn_cast<ConstantInt>(&constant);
      integer && !constant.getType()->isVectorTy()) {
    const APInt &value = integer->getValue();
    for (unsigned i = 0; i < value.getNumWords(); ++i)
      out.push_back({value.getRawData()[i], 0});
    return true;
  }
  if (auto *number = dyn_cast<ConstantFP>(&constant); number && !constant.getType()->isVectorTy()) {
    out.push_back({number->getValueAPF().bitcastToAPInt().getZExtValue(), 0});
    return true;
  }
  if (auto *value = dyn_cast<GlobalValue>(&constant)) {
    std::optional<uint64_t> address = addressOf(*value);
    if (address && value->getAddressSpace() == constantSpace)
      address = addressSpaces.pointer(constantSpace, *address, /*own=*/0);
    out.push_back({address.value_or(0), 0});
    return true;
  }
  if (auto *expression = dyn_cast<ConstantExpr>(&constant)) {
    // What is left of an expression without addresses is no expression.
    const Constant *folded = ConstantFoldConstant(expression, dataLayout);
    return isa<ConstantExpr>(folded) ? evaluateExpression(*expression, out)
                                     : evaluate(*folded, out);
  }
  if (isa<UndefValue>(constant) || constant.isNullValue()) {
    SmallVector<Leaf> leaves;
    if (!flatten(constant.getType(), dataLayout, leaves))
      return false;
    for (const Leaf &leaf : leaves)
      out.push_back(isa<UndefValue>(constant) ? unknown(leaf.width, isa<PoisonValue>(constant))
                                              : Scalar());
    return true;
  }
  for (unsigned i = 0;; ++i) {
    const Constant *element = constant.getAggregateElement(i);
    if (!element)
      return i > 0;
    if (!evaluate(*element, out))
      return false;
  }
}

/// Casts a constant; memory of a thread has no constant address.
bool Program::castAddress(const ConstantExpr &cast, Scalar from, SmallVectorImpl<Scalar> &out) {
  unsigned fromSpace = cast.getOperand(0)->getType()->getPointerAddressSpace();
  unsigned toSpace = cast.getType()->getPointerAddressSpace();
  uint64_t flat = addressSpaces.flat(fromSpace, from.bits, localWindow);
  std::optional<uint64_t> pointer = addressSpaces.pointer(toSpace, flat, localWindow);
  if (addressSpaces.isLocal(flat) || !pointer)
    return false;
  out.push_back({*pointer, 0});
  return true;
}

bool Program::evaluateExpression(const ConstantExpr &expression, SmallVectorImpl<Scalar> &out) {
  if (expression.getType()->isVectorTy() || hasWide(expression))
    return false;
  SmallVector<Scalar> operands;
  for (const Use &use : expression.operands())
    if (!evaluate(*cast<Constant>(use), operands))
      return false;
  Type *type = expression.getType();
  bool isPointer = type->isPointerTy();
  uint64_t mask = maskOf(isPointer ? dataLayout.getPointerTypeSizeInBits(type) : widthOf(type));
  switch (expression.getOpcode()) {
  case Instruction::GetElementPtr: {
    APInt offset(dataLayout.getIndexTypeSizeInBits(expression.getType()), 0);
    if (!cast<GEPOperator>(expression).accumulateConstantOffset(dataLayout, offset))
      return false;
    out.push_back({(operands[0].bits + uint64_t(offset.getSExtValue())) & mask, 0});
    return true;
  }
  case Instruction::AddrSpaceCast:
    return castAddress(expression, operands[0], out);
  case Instruction::BitCast:
  case Instruction::IntToPtr:
  case Instruction::PtrToInt:
  case Instruction::Trunc:
    out.push_back({operands[0].bits & mask, operands[0].undefined & mask});
    return true;
  case Instruction::Add:
    out.push_back({(operands[0].bits + operands[1].bits) & mask, 0});
    return true;
  case Instruction::Sub:
    out.push_back({(operands[0].bits - operands[1].bits) & mask, 0});
    return true;
  default:
    return false;
  }
}
