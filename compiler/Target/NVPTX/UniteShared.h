//===- UniteShared.h - One block of shared memory per kernel ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"
#include <string>

namespace regrain::nvptx {

/// Aligns the static shared variables that are as large as the widest access for
/// it, so that neighbouring accesses of one thread can become one.
void alignShared(llvm::Module &module);

/// Lays the static shared variables of each kernel out side by side in one, so
/// that the same place in several of them, which joined blocks access together, is
/// one register and different constants. Variables that other functions use stay.
/// To be run on optimised code: variables apart are easier to tell apart.
void uniteShared(llvm::Module &module, llvm::ArrayRef<std::string> kernels);

} // namespace regrain::nvptx
