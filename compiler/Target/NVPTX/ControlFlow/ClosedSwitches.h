//===- ClosedSwitches.h - Switches with unreachable defaults ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM makes the default of a switch unreachable if the cases cover all values, and its NVPTX
// target emits an `exit` there, to which each such switch then branches. ptxas assumes that threads
// may exit at that place: it resynchronises the warp before each barrier that follows, and its code
// for sm_90 has been wrong if functions are called in addition (docs/decisions/0049).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// Makes the last case of each switch whose default is unreachable its default.
void closeSwitches(llvm::Module &module);

} // namespace regrain::nvptx
