//===- Reuse.h - Whether accesses return to the same data -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This decides where hints for caches are worth giving, and justifies no transform: an address that
// depends on a value which a loop carries counts as another one in each iteration.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Access.h"

namespace regrain {

/// Returns whether the address space allows that the access is to global memory.
[[nodiscard]] bool mayBeGlobal(const Access &access);

/// Returns whether the base tells which memory is accessed.
[[nodiscard]] bool hasKnownBase(const Access &access);

/// Returns whether the base is a pointer parameter or a module variable, outside constant memory.
[[nodiscard]] bool isInGlobal(const Access &access);

/// Returns whether the two stand in different branches of a condition, which never both run.
[[nodiscard]] bool areExclusive(mlir::Operation *first, mlir::Operation *second);

/// Returns whether the address, whose offset is known, changes with every loop around the access.
[[nodiscard]] bool movesInLoops(const Access &access);

} // namespace regrain
