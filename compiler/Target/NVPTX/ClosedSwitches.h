//===- ClosedSwitches.h - Switches without a way out ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM makes the default of a switch unreachable where the cases hold all values,
// and its NVPTX target writes an `exit` there, to which each such switch then
// branches. ptxas takes it that threads may leave at that place: it synchronises
// the warp anew before each barrier that follows, and its code for sm_90 has been
// wrong where functions are called besides (docs/decisions/0049).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// Makes the last case of each switch whose default is unreachable its default.
void closeSwitches(llvm::Module &module);

} // namespace regrain::nvptx
