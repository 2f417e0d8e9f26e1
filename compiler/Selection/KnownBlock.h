//===- KnownBlock.h - Benefit of a known block ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "runtime/image/grain.h"

namespace regrain {

/// Returns whether threads of `kernel` exchange less through shared memory or wait for each other
/// less often, by at least a twentieth, once they are known to run in blocks of `block` threads.
/// This optimises a copy of the kernel and compares; `kernel` itself is not changed.
[[nodiscard]] bool gainsByBlock(grain::KernelOp kernel, const Factors &block);

/// Returns whether loads of `kernel` can be staged in shared memory in blocks of `block` threads.
/// This tries it on a copy of the kernel.
[[nodiscard]] bool sharesFootprint(grain::KernelOp kernel, const Factors &block);

} // namespace regrain
