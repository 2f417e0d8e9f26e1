//===- CachedLoads.h - Loads of what no thread writes -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// Replaces the calls that __ldg becomes by loads from global memory that are invariant. The code
/// generator writes both as ld.global.nc, but LLVM's load-store vectoriser, which runs there, does
/// not join calls to neighbours. To be called after optimisation, which has determined the
/// addresses.
void showCachedLoads(llvm::Module &module);

} // namespace regrain::nvptx
