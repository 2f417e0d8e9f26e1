//===- AddressSum.h - An address as a sum of indices ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include <optional>

namespace regrain {

/// The bytes from a base to an address: the constant, and the product of each index with its bytes.
/// The sum holds modulo 2^64, whether or not something wraps.
struct AddressSum {
  struct Term {
    mlir::Value index; ///< a signed integer
    int64_t bytes;
    friend bool operator==(const Term &, const Term &) = default;
  };
  mlir::Value base; ///< no GEP, and no conversion of a pointer
  int64_t constant = 0;
  llvm::SmallVector<Term, 4> terms;
};

/// Returns the sum of an address; nothing if a type has no layout, or an index is no integer.
[[nodiscard]] std::optional<AddressSum> addressSumOf(mlir::Value address,
                                                     const mlir::DataLayout &layout);

} // namespace regrain
