//===- CastShared.cpp - Shared arrays read as wider types -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/CastShared.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/References.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace regrain {
namespace {

constexpr uint64_t narrow = 8, wide = 16; ///< bytes of the accesses that copies become

/// The variables, with the alignment that they need.
using Alignments = MapVector<GlobalVariable *, Align>;

void add(Alignments &found, const Value *side, uint64_t bytes) {
  auto *variable = const_cast<GlobalVariable *>(
      dyn_cast<GlobalVariable>(getUnderlyingObject(side, /*MaxLookup=*/0)));
  if (!variable || variable->getAddressSpace() != sharedSpace ||
      variable->getAlign().valueOrOne() >= bytes)
    return;
  Align &needed = found[variable];
  needed = std::max(needed, Align(bytes));
}

Alignments findCasts(Module &module) {
  Alignments found;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *copy = dyn_cast<MemCpyInst>(&instruction);
      auto *length = copy ? dyn_cast<ConstantInt>(copy->getLength()) : nullptr;
      uint64_t bytes = length ? length->getLimitedValue() : 0;
      if (bytes != narrow && bytes != wide)
        continue;
      add(found, copy->getRawSource(), bytes);
      add(found, copy->getRawDest(), bytes);
    }
  return found;
}

/// Returns the shared bytes that a kernel declares, at most.
uint64_t sharedBytes(const Function &kernel) {
  const DataLayout &layout = kernel.getParent()->getDataLayout();
  uint64_t bytes = 0;
  for (const GlobalValue *value : reachableFrom(kernel))
    if (auto *variable = dyn_cast<GlobalVariable>(value);
        variable && variable->getAddressSpace() == sharedSpace && !variable->isDeclaration())
      bytes = alignTo(bytes, variable->getAlign().valueOrOne()) +
              layout.getTypeAllocSize(variable->getValueType());
  return bytes;
}

} // namespace

void alignCastShared(Module &module, ArrayRef<Function *> kernels, uint64_t most) {
  Alignments casts = findCasts(module), before;
  for (auto [variable, alignment] : casts) {
    before[variable] = variable->getAlign().valueOrOne();
    variable->setAlignment(alignment);
  }
  for (Function *kernel : kernels)
    if (!casts.empty() && sharedBytes(*kernel) > most)
      for (auto [variable, alignment] : before)
        if (reachableFrom(*kernel).contains(variable))
          variable->setAlignment(alignment);
}

} // namespace regrain
