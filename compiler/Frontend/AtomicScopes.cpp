//===- AtomicScopes.cpp - CUDA's atomic functions told apart --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/AtomicScopes.h"

#include "compiler/Frontend/DeviceScope.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain {

/// _ZL12__iAtomicAddPii: internal functions whose reserved names
/// __clang_cuda_device_functions.h makes of a type and an operation; of 16 bits, which
/// it has not, our device_atomic_functions.h. Those of the system are not the device's.
static bool isDeviceAtomic(StringRef mangled) {
  unsigned length = 0;
  if (!mangled.consume_front("_ZL") || mangled.consumeInteger(10, length))
    return false;
  StringRef name = mangled.take_front(length);
  return name.consume_front("__") &&
         name.take_until([](char c) { return c == 'A'; }).find_first_not_of("dfilsu") ==
             StringRef::npos &&
         name.contains("Atomic") && !name.ends_with("_system");
}

void markDeviceAtomics(Module &module) {
  SyncScope::ID device = module.getContext().getOrInsertSyncScopeID(deviceScope);
  for (Function &function : module) {
    if (!function.hasLocalLinkage() || !isDeviceAtomic(function.getName()))
      continue;
    for (Instruction &inst : instructions(function)) {
      if (auto *update = dyn_cast<AtomicRMWInst>(&inst))
        update->setSyncScopeID(device);
      if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
        exchange->setSyncScopeID(device);
    }
  }
}

} // namespace regrain
