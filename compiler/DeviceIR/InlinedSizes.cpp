//===- InlinedSizes.cpp - How large functions become ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/InlinedSizes.h"

using namespace llvm;

/// A function of more instructions is not copied, nor one whose copies have more in all.
static constexpr uint64_t mostCopied = 50000, mostInAll = 400000;

bool regrain::InlinedSizes::mayBeCopied(const CallGraphNode &node) {
  const Function *function = node.getFunction();
  uint64_t size = function->getInstructionCount();
  for (const auto &[call, callee] : node)
    if (const Function *inner = callee->getFunction();
        inner && inner->hasFnAttribute(Attribute::AlwaysInline))
      size += sizes.lookup(inner);
  sizes[function] = size;
  uint64_t places = function->getNumUses();
  return places < 2 || (size <= mostCopied && size * places <= mostInAll);
}
