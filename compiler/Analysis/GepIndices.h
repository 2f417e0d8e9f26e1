//===- GepIndices.h - The bytes that a GEP adds -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include <optional>

namespace regrain {

/// The address is the base and `constant` and, for each index, the index as a signed number times
/// its bytes.
struct GepIndices {
  struct Index {
    mlir::Value value;
    int64_t bytes;
  };
  int64_t constant = 0;
  llvm::SmallVector<Index, 2> variable;
};

/// Returns nothing if a size is not known, or if the GEP has vectors of pointers or indices.
[[nodiscard]] std::optional<GepIndices> indicesOf(mlir::LLVM::GEPOp gep,
                                                  const mlir::DataLayout &layout);

} // namespace regrain
