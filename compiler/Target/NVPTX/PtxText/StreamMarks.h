//===- StreamMarks.h - Nontemporal accesses in PTX --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's NVPTX target keeps `!nontemporal` on its machine instructions, through the splitting and
// widening of accesses, but prints nothing of it. Two passes in its pipeline make the property
// visible: in the PTX, a comment in the form of inline assembly stands before each such access.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Pass.h"

namespace regrain::nvptx {

enum class StreamMark { None, Plain, OnlyRead };

/// Keeps nontemporal loads of vectors as they are while LLVM optimises. Otherwise, if the program
/// uses a vector's elements alone, VectorCombine makes a load of each, without the property.
void keepStreamedVectors(llvm::Module &module);

/// Returns a pass over LLVM IR for directly before the instructions are selected. The instruction
/// for invariant loads does not keep the property. So a load that would become one hides from LLVM
/// that it is, and is marked OnlyRead.
llvm::FunctionPass *createKeepStreamed();

/// Returns a pass over machine instructions in their final order that puts a mark before each
/// nontemporal access.
llvm::FunctionPass *createMarkStreamed();

/// Removes a mark from the front of `ptx`, and returns it; None if there is none.
StreamMark takeStreamMark(llvm::StringRef &ptx);

} // namespace regrain::nvptx
