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
  mlir::Value base;
  int64_t constant = 0;
  llvm::SmallVector<Term, 4> terms;
};

/// Returns what one GEP adds to its operand. Returns nothing if a type has no layout, if an index
/// is no integer, or if the constant does not fit into 64 bits.
[[nodiscard]] std::optional<AddressSum> stepOf(mlir::LLVM::GEPOp gep,
                                               const mlir::DataLayout &layout);

/// Returns the sum of an address, whose base is no GEP, and no conversion of a pointer. Returns
/// nothing where stepOf does, or if the constants of several GEPs do not fit together.
[[nodiscard]] std::optional<AddressSum> addressSumOf(mlir::Value address,
                                                     const mlir::DataLayout &layout);

} // namespace regrain
