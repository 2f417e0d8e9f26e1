//===- Barriers.cpp - Where threads of a block synchronise ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Barriers.h"

using namespace mlir;

regrain::Barriers::Barriers(Operation *root) {
  root->walk([&](Operation *op) {
    if (!isBarrier(op))
      return;
    for (Operation *holder = op; holder; holder = holder->getParentOp())
      if (!holders.insert(holder).second || holder == root)
        break;
  });
}
