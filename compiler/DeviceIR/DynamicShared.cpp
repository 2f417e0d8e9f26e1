//===- DynamicShared.cpp - One name for dynamic shared memory -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/DynamicShared.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/References.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"

using namespace llvm;

/// Gives the memory one name. The smallest variable promises the least about what can be read.
static void joinNames(ArrayRef<GlobalVariable *> names, const DataLayout &layout) {
  auto bytes = [&](GlobalVariable *name) {
    return layout.getTypeAllocSize(name->getValueType()).getFixedValue();
  };
  GlobalVariable *kept = *min_element(
      names, [&](GlobalVariable *one, GlobalVariable *other) { return bytes(one) < bytes(other); });
  Align alignment;
  for (GlobalVariable *name : names)
    alignment = std::max(alignment, layout.getPreferredAlign(name));
  kept->setAlignment(alignment);
  for (GlobalVariable *name : names)
    if (name != kept) {
      name->replaceAllUsesWith(kept);
      name->eraseFromParent();
    }
}

void regrain::joinDynamicShared(Module &module, ArrayRef<Function *> kernels) {
  for (Function *kernel : kernels) {
    auto reached = regrain::reachableFrom(*kernel);
    SmallVector<GlobalVariable *> names;
    for (GlobalVariable &global : module.globals())
      if (global.isDeclaration() && global.getAddressSpace() == regrain::sharedSpace &&
          reached.contains(&global))
        names.push_back(&global);
    if (names.size() > 1)
      joinNames(names, module.getDataLayout());
  }
}
