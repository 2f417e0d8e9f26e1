//===- GenericAddresses.h - Addresses from another base ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant memory, in which parameters lie as well, serves one address of a warp at a time: lanes
// with 32 different ones wait for each other. By generic addresses, the same memory is behind the
// L1 cache. LLVM would find out from where such an address comes, so it is hidden in assembly.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

namespace regrain::nvptx {

/// Returns the value from which an address is computed by casts and offsets.
[[nodiscard]] llvm::Value &rootOf(llvm::Value &address);

/// Computes the addresses of one object from its generic address.
class GenericAddresses {
public:
  /// `base` is what an assembly text at the kernel's entry returns. The text has the operand, if
  /// there is one, as $1.
  GenericAddresses(llvm::Function &kernel, llvm::StringRef text, llvm::Value *operand = nullptr);

  /// Returns the generic address in place of `address`, whose root is the object.
  [[nodiscard]] llvm::Value &of(llvm::Value &address);

private:
  llvm::CallInst *base;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> known;
};

} // namespace regrain::nvptx
