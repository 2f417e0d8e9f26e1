//===- ExecuteMemory.cpp - Instructions on memory and its addresses -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Arithmetic.h"
#include "interpreter/Machine.h"

using namespace llvm;
using namespace regrain;

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

void Machine::observe(const Thread &thread, const Step &step, unsigned operand) const {
  if (options.observe)
    options.observe({thread.block->index, thread.index, step.instruction,
                     readAddress(thread, step, operand).bits});
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

/// A pointer converted to an address space that does not contain its target is
/// poison.
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
