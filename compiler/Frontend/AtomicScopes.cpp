//===- AtomicScopes.cpp - Tell CUDA's atomic functions apart --------------===//
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

/// Returns whether a mangled name such as _ZL12__iAtomicAddPii is that of an atomic function of
/// device scope. __clang_cuda_device_functions.h forms such reserved names of internal functions
/// from a type and an operation; our device_atomic_functions.h and regrain_fp16_device.inc add
/// those of 16 bits. Functions of system scope are not included.
static bool isDeviceAtomic(StringRef mangled) {
  unsigned length = 0;
  if (!mangled.consume_front("_ZL") || mangled.consumeInteger(10, length))
    return false;
  StringRef name = mangled.take_front(length);
  return name.consume_front("__") &&
         name.take_until([](char c) { return c == 'A'; }).find_first_not_of("bdfhilsu") ==
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
