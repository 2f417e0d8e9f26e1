//===- ComparedAddresses.cpp - Addresses that are only tested -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/ComparedAddresses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

/// Returns whether the user computes another number from its operands alone.
static bool computes(const User &user) {
  return user.getType()->isIntOrIntVectorTy() &&
         (isa<BinaryOperator, PHINode, SelectInst, FreezeInst>(user) ||
          isa<TruncInst, ZExtInst, SExtInst>(user));
}

bool regrain::isOnlyCompared(const PtrToIntInst &number) {
  SmallPtrSet<const Value *, 16> seen = {&number};
  SmallVector<const Value *> open = {&number};
  while (!open.empty())
    for (const User *user : open.pop_back_val()->users()) {
      if (isa<ICmpInst>(user))
        continue;
      if (!computes(*user))
        return false;
      if (seen.insert(user).second)
        open.push_back(user);
    }
  return true;
}
