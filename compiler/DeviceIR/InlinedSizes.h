//===- InlinedSizes.h - How large functions become --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/CallGraph.h"

namespace regrain {

/// The instructions of functions, with those of the functions that are marked to be inlined in
/// them. Without a limit, functions that call each other several times grow with a power of their
/// number.
class InlinedSizes {
public:
  /// Counts a function whose callees have been counted. Returns false if it is too large to be
  /// inlined at several places.
  bool mayBeCopied(const llvm::CallGraphNode &node);

private:
  llvm::DenseMap<const llvm::Function *, uint64_t> sizes;
};

} // namespace regrain
