//===- AtomicOrder.cpp - Whether the order of updates matters -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/AtomicOrder.h"

using namespace mlir;

bool regrain::isUnordered(LLVM::AtomicBinOp kind, bool reassociate) {
  using Kind = LLVM::AtomicBinOp;
  switch (kind) {
  case Kind::add:
  case Kind::_and:
  case Kind::_or:
  case Kind::_xor:
  case Kind::max:
  case Kind::min:
  case Kind::umax:
  case Kind::umin:
    return true;
  case Kind::fadd:
    return reassociate;
  default:
    return false;
  }
}
