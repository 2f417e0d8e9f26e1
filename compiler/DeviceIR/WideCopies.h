//===- WideCopies.h - Copies as the widest accesses -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang copies a structure such as float4 by llvm.memcpy. Of that, LLVM's code generator makes
// words of 64 bits, loads and stores in turn, and from 128 bytes on a loop over bytes. A temporary
// of two copies stays in local memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain {

/// Replaces copies and fills of a constant size by accesses that are as wide as the alignment
/// and the size allow, at most 128 bits: up to 64 bytes are loaded before they are stored, and
/// sizes over 256 bytes become a loop. What is volatile, is aligned to less than 4 bytes, or has 16
/// bytes or more that are no multiple of 4 is kept, and so are rows of tiles (bulkSuffix).
struct WideCopies : llvm::PassInfoMixin<WideCopies> {
  enum class Time {
    /// Copies of a variable of the thread that is also accessed by parts are kept, because SROA
    /// splits them by these parts. So are fills and what would take many registers.
    BeforeSroa,
    AfterSroa,
  };
  explicit WideCopies(Time time) : time(time) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);

private:
  Time time;
};

} // namespace regrain
