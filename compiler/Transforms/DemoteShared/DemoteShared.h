//===- DemoteShared.h - Static shared memory in global memory ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %tile = grain.shared "tile"    =>    %tile = grain.scratch "tile"
//
// Shared memory that keeps blocks from being resident is no longer taken: each
// launched block gets global memory of its own, which the runtime gives the launch.
//
// Legality. Threads of a block alone reach either memory, its contents are
// undefined at the start, and barriers and fences of a block order accesses of
// both; volatile and atomic accesses stay what they are. It is the last step of a
// grain, as what goes before it rests on which memory is a block's own. Refused:
// an access or a computation that asks for an address of shared memory as such (a
// conversion of a pointer to one, or of its address to a number; a question in
// which memory a pointer lies; instructions for shared memory, as for matrices,
// copies and barriers in it; inline assembly and functions that are given
// pointers, which may do any of these), and a kernel without static shared memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Transforms/Refusal.h"

namespace regrain {

/// Demotes all static shared memory of `kernel`. Else, with the refusal, nothing has changed.
llvm::LogicalResult demoteShared(grain::KernelOp kernel, Refusal &refusal);

} // namespace regrain
