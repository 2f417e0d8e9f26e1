//===- Execute.cpp - Execution of instructions ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Arithmetic.h"
#include "interpreter/Machine.h"

using namespace llvm;
using namespace regrain;

bool Machine::runThread(Thread &thread) {
  constexpr unsigned longest = 4096; // steps before another thread may run
  running = &thread;
  yield = false;
  for (unsigned count = 0; thread.state == Thread::Runnable && !yield && count < longest; ++count) {
    if (++steps > options.stepLimit)
      return fail(FaultKind::StepLimit, "more than " + Twine(options.stepLimit) + " steps");
    Frame &frame = thread.frames.back();
    const Step &step = frame.function->blocks[frame.block].steps[frame.step++];
    if (!execute(thread, step))
      return false;
  }
  return true;
}

bool Machine::execute(Thread &thread, const Step &step) {
  const Instruction &instruction = *step.instruction;
  if (!step.unsupported.empty())
    return fail(FaultKind::Unsupported, step.unsupported);
  switch (instruction.getOpcode()) {
  case Instruction::Load:
  case Instruction::Store:
  case Instruction::Alloca:
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
  case Instruction::Fence:
    return executeMemory(thread, step);
  case Instruction::GetElementPtr:
    return address(thread, step);
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
    return executeVector(thread, step);
  case Instruction::Call:
    return call(thread, step);
  case Instruction::Br:
  case Instruction::Switch:
  case Instruction::Ret:
  case Instruction::Unreachable:
    return executeControl(thread, step);
  default:
    return step.builtin ? step.builtin(*this, thread, step) : executeLanes(thread, step);
  }
}

/// Executes instructions that treat each scalar of a value in the same way.
bool Machine::executeLanes(Thread &thread, const Step &step) {
  const Instruction &instruction = *step.instruction;
  auto *binaryOperator = dyn_cast<BinaryOperator>(&instruction);
  auto *comparison = dyn_cast<CmpInst>(&instruction);
  auto *cast = dyn_cast<CastInst>(&instruction);
  bool known = binaryOperator || comparison || cast ||
               isa<SelectInst, FreezeInst, UnaryOperator>(instruction);
  if (!known)
    return fail(FaultKind::Unsupported, Twine("the instruction ") + instruction.getOpcodeName());
  Type *operandType = instruction.getOperand(0)->getType()->getScalarType();
  if (cast && scalarCount(instruction.getOperand(0)->getType()) != step.leaves.size())
    return reinterpret(thread, step);
  bool lanewiseSelect = instruction.getOperand(0)->getType()->isVectorTy();
  for (unsigned i = 0; i < step.leaves.size(); ++i) {
    const Leaf &leaf = step.leaves[i];
    Scalar result;
    Scalar a = read(thread, step, 0, isa<SelectInst>(instruction) && !lanewiseSelect ? 0 : i);
    if (binaryOperator) {
      if (auto kind = binary(*binaryOperator, leaf.type, a, read(thread, step, 1, i), result))
        return fail(*kind, Twine("the divisor of ") + instruction.getOpcodeName());
    } else if (comparison) {
      result = compare(comparison->getPredicate(), operandType, a, read(thread, step, 1, i));
    } else if (cast) {
      result = isa<AddrSpaceCastInst>(cast) ? castAddress(thread, *cast, leaf, a)
                                            : convert(*cast, operandType, leaf, a);
    } else if (isa<SelectInst>(instruction)) {
      result =
          a.undefined ? unknown(leaf.width, a.isPoison) : read(thread, step, a.bits ? 1 : 2, i);
    } else if (isa<FreezeInst>(instruction)) {
      // Any value is correct; the program must not depend on the choice.
      result = {(a.bits & ~a.undefined) | (random() & a.undefined), 0};
    } else {
      result = {a.bits ^ uint64_t(1) << (leaf.width - 1), a.undefined, a.isPoison}; // fneg
    }
    write(thread, step, result, i);
  }
  return true;
}

bool Machine::reinterpret(Thread &thread, const Step &step) {
  SmallVector<Leaf> from;
  if (!flatten(step.instruction->getOperand(0)->getType(), program.layout(), from))
    return fail(FaultKind::Unsupported, "a bitcast of this type");
  unsigned total = 0;
  for (const Leaf &leaf : from)
    total += leaf.width;
  APInt bits(total, 0), undefined(total, 0);
  bool isPoison = false;
  unsigned at = 0;
  for (auto [i, leaf] : enumerate(from)) {
    Scalar value = read(thread, step, 0, i);
    bits.insertBits(value.bits, at, leaf.width);
    undefined.insertBits(value.undefined, at, leaf.width);
    isPoison |= value.isPoison;
    at += leaf.width;
  }
  at = 0;
  for (auto [i, leaf] : enumerate(step.leaves)) {
    uint64_t unknownBits = undefined.extractBitsAsZExtValue(leaf.width, at);
    write(thread, step,
          {bits.extractBitsAsZExtValue(leaf.width, at), unknownBits, isPoison && unknownBits}, i);
    at += leaf.width;
  }
  return true;
}
