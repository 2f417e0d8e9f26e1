//===- TypeLayout.h - Layout of types in memory -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout is what mlir::DataLayout finds in the module; the import takes it over from the device
// module. Grain IR that is written without a layout has MLIR's default, which aligns i64 and i128
// to 4 bytes. These functions add what mlir::DataLayout lacks: it ends the program if a type has no
// layout, does not pad sizes, has no offsets of members, and spreads vectors of i1, which LLVM
// packs.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include <optional>

namespace regrain {

struct TypeLayout {
  int64_t size;      ///< bytes, from one element of an array to the next
  int64_t alignment; ///< bytes
};

/// Returns the layout of a number of at most 128 bits, a pointer, or an array, a vector or a
/// structure of these; nothing for any other type.
[[nodiscard]] std::optional<TypeLayout> layoutOf(mlir::Type type, const mlir::DataLayout &layout);

/// Returns the offset of member `index` of `record` in bytes; nothing if there is no such member,
/// or if its layout or that of a member before it is not known.
[[nodiscard]] std::optional<int64_t> memberOffset(mlir::LLVM::LLVMStructType record, int64_t index,
                                                  const mlir::DataLayout &layout);

} // namespace regrain
