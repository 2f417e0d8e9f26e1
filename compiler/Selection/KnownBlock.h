//===- KnownBlock.h - What a known block is good for ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "runtime/image/grain.h"

namespace regrain {

/// Whether threads of `kernel`, which stays as it is, exchange less through shared
/// memory or wait for each other less often, by a twentieth, once they are known to
/// run in blocks of `block` threads. Tried out: what optimising leaves is compared.
[[nodiscard]] bool gainsByBlock(grain::KernelOp kernel, const Factors &block);

} // namespace regrain
