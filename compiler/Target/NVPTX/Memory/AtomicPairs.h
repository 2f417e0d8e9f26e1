//===- AtomicPairs.h - Atomic additions to two numbers of 16 bits -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA adds to each element of a __half2 or __nv_bfloat162 atomically, but not to the pair as a
// whole. So the pair is two atomic additions to all analyses, and becomes one instruction here,
// where the address spaces are known. LLVM has no such instruction.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/Pass.h"

namespace regrain::nvptx {

/// Joins atomic additions of device scope to neighbouring halves, or numbers in bfloat16, of an
/// aligned word. Between them there may only be such additions to lower halves of words, and what
/// neither touches memory nor ends the thread. What is added to the upper half must not depend on
/// the first result. Returns whether the function has changed.
bool joinAtomicPairs(llvm::Function &function, unsigned capability);

/// Returns a pass that does so.
llvm::FunctionPass *createJoinAtomicPairs(unsigned capability);

} // namespace regrain::nvptx
