//===- ComparedAddresses.h - Addresses that are only tested -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that asks whether an address is aligned makes a number of it. Nobody accesses memory by
// such a number.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Instructions.h"

namespace regrain {

/// Returns whether the number of an address, and what is computed from it, only reaches
/// comparisons.
[[nodiscard]] bool isOnlyCompared(const llvm::PtrToIntInst &number);

} // namespace regrain
