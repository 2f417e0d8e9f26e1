//===- OnlyRead.h - Memory that a function does not write -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread may write to a parameter that it takes by value, which is a copy of its own. Where it
// only reads, no stage has to make that copy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Argument.h"

namespace regrain {

/// Returns whether nobody writes through the pointer `parameter`, or through pointers that are
/// derived from it: `readonly` says so, as of a __grid_constant__, or its address only reaches
/// loads and functions that only load.
[[nodiscard]] bool isOnlyRead(const llvm::Argument &parameter);

} // namespace regrain
