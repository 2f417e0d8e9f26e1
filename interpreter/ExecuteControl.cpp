//===- ExecuteControl.cpp - Branches, calls and returns -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Machine.h"

using namespace llvm;
using namespace regrain;

bool Machine::executeControl(Thread &thread, const Step &step) {
  const Instruction &instruction = *step.instruction;
  uint64_t value = 0;
  if (auto *branch = dyn_cast<BranchInst>(&instruction)) {
    if (branch->isUnconditional())
      return jump(thread, step.targets[0]);
    return readDefined(thread, step, 0, "the condition of a branch", value) &&
           jump(thread, step.targets[value ? 0 : 1]);
  }
  if (auto *choice = dyn_cast<SwitchInst>(&instruction)) {
    if (!readDefined(thread, step, 0, "the value of a switch", value))
      return false;
    for (const auto &option : choice->cases())
      if (option.getCaseValue()->getZExtValue() == value)
        return jump(thread, step.targets[option.getSuccessorIndex()]);
    return jump(thread, step.targets[0]);
  }
  if (isa<UnreachableInst>(instruction))
    return fail(FaultKind::Trap, "unreachable code is reached");
  leave(thread, step);
  return true;
}

bool Machine::jump(Thread &thread, unsigned target) {
  Frame &frame = thread.frames.back();
  const auto &moves = frame.function->blocks[target].moves;
  if (auto found = moves.find(frame.block); found != moves.end()) {
    SmallVector<Scalar, 16> values;
    for (const Move &move : found->second)
      for (unsigned i = 0; i < move.count; ++i)
        values.push_back(read(thread, move.from, i));
    const Scalar *next = values.data();
    for (const Move &move : found->second)
      for (unsigned i = 0; i < move.count; ++i)
        frame.registers[move.to + i] = *next++;
  }
  if (frame.function->order)
    frame.function->order->jump(frame.iterations, frame.block, target);
  frame.block = target;
  frame.step = 0;
  return true;
}

bool Machine::call(Thread &thread, const Step &step) {
  if (step.builtin)
    return step.builtin(*this, thread, step);
  auto &call = *cast<CallBase>(step.instruction);
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee) {
    uint64_t address = 0;
    if (!readDefined(thread, step, call.arg_size(), "the function that is called", address))
      return false;
    callee = program.at(address);
    if (!callee || callee->isDeclaration() || callee->arg_size() != call.arg_size())
      return fail(FaultKind::OutOfBounds,
                  "a call of what is not a function with that many operands");
  }
  return enter(thread, *callee, &step);
}

bool Machine::enter(Thread &thread, const llvm::Function &function, const Step *call) {
  constexpr size_t deepest = 2000;
  if (thread.frames.size() >= deepest)
    return fail(FaultKind::StackOverflow, "calls nested deeper than " + Twine(deepest));
  const FunctionCode &code = program.get(function);
  if (!program.missingVariable().empty())
    return fail(FaultKind::BadLaunch,
                "the variable " + program.missingVariable() + " has no memory");
  Frame frame;
  frame.function = &code;
  frame.registers.resize(code.registers);
  if (code.order)
    frame.iterations = code.order->start();
  frame.locals = thread.locals.size();
  frame.call = call;
  for (const Argument &argument : function.args()) {
    unsigned number = argument.getArgNo();
    if (!call)
      break;
    for (unsigned i = 0; i < scalarCount(argument.getType()); ++i)
      frame.registers[code.arguments[number] + i] = read(thread, *call, number, i);
    if (Type *type = argument.getParamByValType()) {
      uint64_t size = program.layout().getTypeAllocSize(type);
      uint64_t own = allocateLocal(thread, size, argument.getParamAlign().valueOrOne().value());
      if (!own)
        return fail(FaultKind::StackOverflow, "no local memory is left");
      Scalar &pointer = frame.registers[code.arguments[number]];
      const AddressSpaces &spaces = program.spaces();
      unsigned space = argument.getType()->getPointerAddressSpace();
      if (!copy(thread, own, spaces.flat(space, pointer.bits, own), size))
        return false;
      pointer = {*spaces.pointer(space, own, own), 0};
    }
  }
  thread.frames.push_back(std::move(frame));
  return true;
}

void Machine::leave(Thread &thread, const Step &step) {
  SmallVector<Scalar, 8> values;
  if (step.instruction->getNumOperands())
    for (unsigned i = 0; i < scalarCount(step.instruction->getOperand(0)->getType()); ++i)
      values.push_back(read(thread, step, 0, i));
  const Step *call = thread.frames.back().call;
  thread.locals.erase(thread.locals.begin() + thread.frames.back().locals, thread.locals.end());
  thread.frames.pop_back();
  if (thread.frames.empty())
    thread.state = Thread::Exited;
  else
    for (unsigned i = 0; i < values.size(); ++i)
      write(thread, *call, values[i], i);
}
