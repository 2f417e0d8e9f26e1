//===- SmallArrays.h - Arrays that fit into registers -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"

namespace regrain::nvptx {

/// The most bytes of an array that fits into a thread's registers beside other values.
inline constexpr uint64_t largestArray = 512;

/// Returns whether the array has a constant size that fits into a thread's registers.
inline bool isSmallArray(const llvm::AllocaInst &array) {
  if (!array.isStaticAlloca())
    return false;
  std::optional<llvm::TypeSize> bytes = array.getAllocationSize(array.getDataLayout());
  return bytes && !bytes->isScalable() && bytes->getFixedValue() <= largestArray;
}

} // namespace regrain::nvptx
