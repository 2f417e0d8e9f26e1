//===- declared_memory.cpp - Entries for declared memory ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/declared_memory.h"

#include "include/cuda/regrain_declared_memory.h"

#define REGRAIN_ENTRY __attribute__((visibility("default")))

REGRAIN_ENTRY void regrain_declare_memory(const void *begin, size_t bytes) {
  regrain::declareMemory({reinterpret_cast<uintptr_t>(begin), bytes});
}

REGRAIN_ENTRY void regrain_withdraw_memory(const void *begin, size_t bytes) {
  regrain::withdrawMemory({reinterpret_cast<uintptr_t>(begin), bytes});
}
