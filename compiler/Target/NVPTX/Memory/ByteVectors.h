//===- ByteVectors.h - Accesses to vectors of bytes -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's load-store vectoriser joins accesses to bytes to vectors of 8 and 16 bytes, but LLVM 19's
// NVPTX target splits these into accesses of 4 bytes, except loads of 16. A bit cast to wider
// elements does not help, because the selection of instructions folds it into the access. So the
// words are composed and taken apart by shifts.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/LegacyPassManager.h"

namespace regrain::nvptx {

/// Replaces the stores of `function` to vectors of 8 and 16 bytes, and the loads of 8, by accesses
/// of as many bytes to words of 64 bits. What is volatile, atomic or aligned to less is kept.
/// Returns whether anything has changed.
bool widenByteVectors(llvm::Function &function);

/// A pass manager for the passes of LLVM's code generator. Behind the load-store vectoriser, which
/// is among them, it runs pairCodes for the kernels that ask for it, and widenByteVectors.
class CodeGenPasses : public llvm::legacy::PassManager {
public:
  void add(llvm::Pass *pass) override;
};

} // namespace regrain::nvptx
