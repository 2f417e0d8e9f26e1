//===- ExecuteVector.cpp - Instructions on parts of a value ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Machine.h"

using namespace llvm;
using namespace regrain;

void Machine::moveRow(Thread &thread, const Step &step, unsigned operand, unsigned from,
                      unsigned to, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    write(thread, step, read(thread, step, operand, from + i), to + i);
}

/// Returns the number of scalars before the element at `indices`.
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
