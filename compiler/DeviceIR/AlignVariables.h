//===- AlignVariables.h - Alignment of module variables ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang aligns a variable for its type: `__device__ float weights[256]` for 4 bytes. Neighbouring
// elements are joined into wide accesses only if the variable is known to be aligned for these.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Aligns arrays and structures in global and constant memory that `module` defines to 16 bytes, if
/// they have so many. What the module only declares is another module's, and managed memory is the
/// runtime's. Constant memory stays as it is if the gaps might not fit into it.
void alignVariables(llvm::Module &module);

} // namespace regrain
