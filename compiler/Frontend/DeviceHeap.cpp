//===- DeviceHeap.cpp - Keep the program's allocations --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/DeviceHeap.h"

using namespace llvm;

void regrain::keepAllocations(Module &module) {
  for (StringRef name : {"malloc", "free"})
    if (Function *function = module.getFunction(name); function && function->isDeclaration())
      function->addFnAttr(Attribute::NoBuiltin);
}
