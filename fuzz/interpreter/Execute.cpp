//===- Execute.cpp - The instructions -------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/interpreter/Arithmetic.h"
#include "fuzz/interpreter/Machine.h"

#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace regrain;

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

/// Instructions that do the same for each scalar of a value.
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
      // Any value is right; which one must not matter.
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

bool Machine::address(Thread &thread, const Step &step) {
  Scalar result = read(thread, step, 0);
  result.bits += step.offset;
  for (const Step::Scaled &scaled : step.scaled) {
    Scalar index = read(thread, scaled.index, 0);
    result.bits += signExtend(index.bits, scaled.width) * scaled.scale;
    if (index.undefined)
      result.undefined = ~uint64_t(0);
  }
  result.bits &= maskOf(step.leaves[0].width);
  result.undefined &= maskOf(step.leaves[0].width);
  write(thread, step, result);
  return true;
}

/// A pointer into an address space that what it points to does not lie in is poison.
Scalar Machine::castAddress(const Thread &thread, const Instruction &cast, const Leaf &to,
                            Scalar value) const {
  if (value.undefined)
    return unknown(to.width, value.isPoison);
  const AddressSpaces &spaces = program.spaces();
  Type *from = cast.getOperand(0)->getType()->getScalarType();
  uint64_t flat = spaces.flat(from->getPointerAddressSpace(), value.bits, thread.nextLocal);
  auto pointer = spaces.pointer(to.type->getPointerAddressSpace(), flat, thread.nextLocal);
  return pointer ? Scalar{*pointer, 0} : poison(to.width);
}

Scalar Machine::readAddress(const Thread &thread, const Step &step, unsigned operand) const {
  Scalar value = read(thread, step, operand);
  unsigned space = step.instruction->getOperand(operand)->getType()->getPointerAddressSpace();
  value.bits = program.spaces().flat(space, value.bits, thread.nextLocal);
  return value;
}

void Machine::observe(const Thread &thread, const Step &step, unsigned operand) const {
  if (options.observe)
    options.observe({thread.block->index, thread.index, step.instruction,
                     readAddress(thread, step, operand).bits});
}

bool Machine::executeMemory(Thread &thread, const Step &step) {
  const Instruction &instruction = *step.instruction;
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    Access access = {load->getAlign().value(), load->isAtomic() || load->isVolatile()};
    observe(thread, step, 0);
    for (unsigned i = 0; i < step.leaves.size(); ++i) {
      Scalar value;
      if (!this->load(thread, readAddress(thread, step, 0), step.leaves[i], access, value))
        return false;
      write(thread, step, value, i);
    }
    return true;
  }
  if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    Access access = {store->getAlign().value(), store->isAtomic() || store->isVolatile()};
    observe(thread, step, 1);
    for (unsigned i = 0; i < step.leaves.size(); ++i)
      if (!this->store(thread, readAddress(thread, step, 1), step.leaves[i], access,
                       read(thread, step, 0, i)))
        return false;
    return true;
  }
  if (auto *alloca = dyn_cast<AllocaInst>(&instruction)) {
    uint64_t count = 0;
    if (!readDefined(thread, step, 0, "the size of an alloca", count))
      return false;
    uint64_t size = program.layout().getTypeAllocSize(alloca->getAllocatedType());
    uint64_t address = allocateLocal(thread, size * count, alloca->getAlign().value());
    if (!address)
      return fail(FaultKind::StackOverflow, "no local memory is left");
    write(thread, step, {address & maskOf(step.leaves[0].width), 0});
    return true;
  }
  if (isa<AtomicRMWInst>(instruction))
    return atomicUpdate(thread, step);
  if (isa<AtomicCmpXchgInst>(instruction))
    return compareExchange(thread, step);
  offerSwitch(); // a fence
  return true;
}

bool Machine::atomicUpdate(Thread &thread, const Step &step) {
  auto &op = *cast<AtomicRMWInst>(step.instruction);
  if (op.getType()->isVectorTy())
    return fail(FaultKind::Unsupported, "atomicrmw of vectors");
  Scalar address = readAddress(thread, step, 0), old;
  Access access = {op.getAlign().value(), /*atomic=*/true};
  if (!load(thread, address, step.leaves[0], access, old))
    return false;
  Scalar value = update(op.getOperation(), op.getType(), old, read(thread, step, 1));
  write(thread, step, old);
  return store(thread, address, step.leaves[0], access, value);
}

bool Machine::compareExchange(Thread &thread, const Step &step) {
  auto &op = *cast<AtomicCmpXchgInst>(step.instruction);
  Scalar address = readAddress(thread, step, 0), old, expected = read(thread, step, 1);
  Access access = {op.getAlign().value(), /*atomic=*/true};
  if (!load(thread, address, step.leaves[0], access, old))
    return false;
  if (old.undefined || expected.undefined)
    return fail(FaultKind::UndefinedValue, "what cmpxchg compares");
  bool equal = old.bits == expected.bits;
  write(thread, step, old, 0);
  write(thread, step, {equal, 0}, 1);
  return !equal || store(thread, address, step.leaves[0], access, read(thread, step, 2));
}

void Machine::moveRow(Thread &thread, const Step &step, unsigned operand, unsigned from,
                      unsigned to, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    write(thread, step, read(thread, step, operand, from + i), to + i);
}

/// The scalars before the element at `indices`.
static unsigned scalarsBefore(Type *type, ArrayRef<unsigned> indices) {
  unsigned before = 0;
  for (unsigned index : indices) {
    for (unsigned i = 0; i < index && isa<StructType>(type); ++i)
      before += scalarCount(cast<StructType>(type)->getElementType(i));
    Type *element = GetElementPtrInst::getTypeAtIndex(type, uint64_t(index));
    if (!isa<StructType>(type))
      before += index * scalarCount(element);
    type = element;
  }
  return before;
}

bool Machine::executeVector(Thread &thread, const Step &step) {
  const Instruction &instruction = *step.instruction;
  unsigned count = step.leaves.size();
  if (auto *extract = dyn_cast<ExtractValueInst>(&instruction)) {
    moveRow(thread, step, 0,
            scalarsBefore(extract->getAggregateOperand()->getType(), extract->getIndices()), 0,
            count);
    return true;
  }
  if (auto *insert = dyn_cast<InsertValueInst>(&instruction)) {
    moveRow(thread, step, 0, 0, 0, count);
    moveRow(thread, step, 1, 0, scalarsBefore(insert->getType(), insert->getIndices()),
            scalarCount(insert->getInsertedValueOperand()->getType()));
    return true;
  }
  auto *type = cast<FixedVectorType>(instruction.getOperand(0)->getType());
  unsigned width = type->getNumElements(), words = scalarCount(type->getElementType());
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction)) {
    for (unsigned i = 0; i < count; ++i) {
      int from = shuffle->getMaskValue(i / words);
      if (from < 0)
        write(thread, step, poison(step.leaves[i].width), i);
      else
        moveRow(thread, step, unsigned(from) / width, unsigned(from) % width * words + i % words, i,
                1);
    }
    return true;
  }
  bool inserts = isa<InsertElementInst>(instruction);
  uint64_t index = 0;
  if (!readDefined(thread, step, inserts ? 2 : 1, "the index of a vector's element", index))
    return false;
  if (index >= width)
    return fail(FaultKind::UndefinedValue, "an index past the end of a vector");
  moveRow(thread, step, 0, inserts ? 0 : index * words, 0, count);
  if (inserts)
    moveRow(thread, step, 1, 0, index * words, words);
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
