//===- StagedTiles.h - Tiles of staging in LLVM IR --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/DeviceIR/StagedName.h"
#include "llvm/IR/IntrinsicInst.h"

namespace regrain {

/// Returns whether the pointer is to arrays in shared memory whose names contain `name`, and that
/// staging has made.
[[nodiscard]] bool isTile(const llvm::Value *pointer, llvm::StringRef name = stagedName);

/// Returns by how many barriers later threads read what is copied into the array to which `pointer`
/// points (aheadInfix).
[[nodiscard]] unsigned aheadOf(const llvm::Value *pointer);

/// Returns whether staging copies a row by this instruction (bulkSuffix).
[[nodiscard]] bool isCopyOfRow(const llvm::MemCpyInst &copy);

} // namespace regrain
