//===- AlignVariables.cpp - Alignment of module variables -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/AlignVariables.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/Annotations.h"
#include "llvm/IR/DataLayout.h"

using namespace llvm;

namespace regrain {
namespace {

constexpr uint64_t wide = 16;                 ///< bytes of the widest access
constexpr uint64_t constantBytes = 64 * 1024; ///< that a module may declare

/// Returns the bytes that variables in constant memory take at most, if all are aligned.
uint64_t alignedConstantBytes(const Module &module) {
  uint64_t bytes = 0;
  for (const GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == constantSpace && variable.getValueType()->isSized())
      bytes += alignTo(module.getDataLayout().getTypeAllocSize(variable.getValueType()), wide);
  return bytes;
}

} // namespace

void alignVariables(Module &module) {
  bool constantsFit = alignedConstantBytes(module) <= constantBytes;
  SmallSetVector<const GlobalValue *, 8> managed = annotatedWith(module, "managed");
  for (GlobalVariable &variable : module.globals()) {
    unsigned space = variable.getAddressSpace();
    if (variable.isDeclaration() || variable.getName().starts_with("llvm.") ||
        managed.contains(&variable) || !variable.getValueType()->isAggregateType() ||
        (space != globalSpace && !(space == constantSpace && constantsFit)))
      continue;
    if (module.getDataLayout().getTypeAllocSize(variable.getValueType()) >= wide)
      variable.setAlignment(std::max(variable.getAlign().valueOrOne(), Align(wide)));
  }
}

} // namespace regrain
