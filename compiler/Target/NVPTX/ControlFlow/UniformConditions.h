//===- UniformConditions.h - Conditions that a loop asks again --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A condition that no iteration changes can be asked in front of a loop that exists twice. LLVM
// does not do this for GPUs, because lanes that differ in the condition would run both loops one
// after the other. They do not differ if the condition depends only on the kernel's arguments and
// on the block.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Passes/PassBuilder.h"

namespace regrain::nvptx {

/// Makes the pipelines of `builder` unswitch loops of kernels as LLVM does for other processors, if
/// all conditions that the loop does not change are the same for all threads of a block. An outer
/// loop is unswitched only if it would choose between inner loops in each iteration. What it asks
/// otherwise is mostly whether an inner loop runs at all, and stays. LLVM's limits on the size of
/// the code hold, and loops with barriers and other convergent calls stay.
void unswitchUniformConditions(llvm::PassBuilder &builder);

} // namespace regrain::nvptx
