//===- Decode.cpp - Conversion of functions to steps ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/WideIntegers.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace regrain {

class Decoder {
public:
  Decoder(Program &program, FunctionCode &out) : program(program), out(out) {}

  void run() {
    for (const Argument &argument : out.function->args())
      out.arguments.push_back(define(argument));
    for (const BasicBlock &block : *out.function) {
      numbers[&block] = numbers.size();
      for (const Instruction &instruction : block)
        define(instruction);
    }
    for (const BasicBlock &block : *out.function)
      decode(block);
  }

private:
  int32_t define(const Value &value) {
    int32_t first = out.registers;
    registers[&value] = first;
    out.registers += scalarCount(value.getType());
    return first;
  }

  /// Operands without a value (labels, metadata, assembly) are 0.
  int32_t operand(const Value &value, std::string &unsupported) {
    if (auto *constant = dyn_cast<Constant>(&value)) {
      int32_t slot = program.constantSlot(*constant);
      if (slot == 0)
        unsupported = "a constant";
      return slot;
    }
    auto found = registers.find(&value);
    return found == registers.end() ? 0 : found->second;
  }

  void decode(const BasicBlock &block);
  Step decode(const Instruction &instruction);
  void decodeAddress(const GEPOperator &address, Step &step);
  void decodeCall(const CallBase &call, Step &step);

  Program &program;
  FunctionCode &out;
  DenseMap<const Value *, int32_t> registers;
  DenseMap<const BasicBlock *, unsigned> numbers;
};

void Decoder::decode(const BasicBlock &block) {
  StepBlock &result = out.blocks.emplace_back();
  for (const PHINode &phi : block.phis())
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      std::string unsupported;
      int32_t from = operand(*phi.getIncomingValue(i), unsupported);
      auto &moves = result.moves[numbers.lookup(phi.getIncomingBlock(i))];
      int32_t to = registers.lookup(&phi);
      if (llvm::none_of(moves, [&](const Move &move) { return move.to == to; }))
        moves.push_back({to, from, scalarCount(phi.getType())});
    }
  for (const Instruction &instruction : block)
    if (!isa<PHINode, DbgInfoIntrinsic>(instruction))
      result.steps.push_back(decode(instruction));
}

Step Decoder::decode(const Instruction &instruction) {
  Step step;
  step.instruction = &instruction;
  for (const Use &use : instruction.operands())
    step.operands.push_back(
        isa<BasicBlock, MetadataAsValue, InlineAsm>(use) ? 0 : operand(*use, step.unsupported));
  step.result = registers.lookup(&instruction);
  Type *type = instruction.getType();
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    type = store->getValueOperand()->getType();
  if (!type->isVoidTy() && !flatten(type, program.layout(), step.leaves)) {
    raw_string_ostream stream(step.unsupported);
    stream << "the type " << *type;
  }
  if (instruction.isTerminator())
    for (const BasicBlock *successor : successors(&instruction))
      step.targets.push_back(numbers.lookup(successor));
  if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
    decodeAddress(cast<GEPOperator>(*address), step);
  if (hasWide(instruction) && !movesWords(instruction)) {
    step.builtin = findWide(instruction);
    if (!step.builtin)
      step.unsupported = wideName(instruction);
  } else if (auto *call = dyn_cast<CallBase>(&instruction)) {
    decodeCall(*call, step);
  }
  return step;
}

void Decoder::decodeAddress(const GEPOperator &address, Step &step) {
  const DataLayout &layout = program.layout();
  unsigned bits = layout.getIndexTypeSizeInBits(address.getType());
  MapVector<Value *, APInt> variable;
  APInt constant(bits, 0);
  if (address.getType()->isVectorTy() || !address.collectOffset(layout, bits, variable, constant)) {
    step.unsupported = "getelementptr of vectors";
    return;
  }
  step.offset = constant.getSExtValue();
  for (auto &[index, scale] : variable)
    step.scaled.push_back({operand(*index, step.unsupported),
                           std::min(widthOf(index->getType()), 64u), scale.getSExtValue()});
}

void Decoder::decodeCall(const CallBase &call, Step &step) {
  if (call.isInlineAsm()) {
    step.builtin = findAssembly(call);
    if (std::optional<unsigned> parameter = parameterNamedBy(call))
      step.operands[0] = operand(*call.getFunction()->getArg(*parameter), step.unsupported);
    if (!step.builtin)
      step.unsupported =
          ("the assembly '" + cast<InlineAsm>(call.getCalledOperand())->getAsmString() + "'");
    return;
  }
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration())
    return;
  step.builtin = findBuiltin(call, callee->getName());
  if (!step.builtin)
    step.unsupported = ("the function " + callee->getName()).str();
}

const FunctionCode &Program::get(const llvm::Function &function) {
  std::unique_ptr<FunctionCode> &entry = decoded[&function];
  if (!entry) {
    auto result = std::make_unique<FunctionCode>();
    result->function = &function;
    Decoder(*this, *result).run();
    if (addressSpaces.areSegmented())
      result->order.emplace(function);
    decoded[&function] = std::move(result);
    return *decoded[&function];
  }
  return *entry;
}

} // namespace regrain
