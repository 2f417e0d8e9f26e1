//===- TypeLayout.h - How types lie in memory -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As the data layout of nvptx64 says: natural alignment throughout.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include <optional>

namespace regrain {

struct TypeLayout {
  int64_t size;      ///< bytes, from one element of an array to the next
  int64_t alignment; ///< bytes
};

/// Of a number of at most 128 bits, a pointer, or an array, a vector or a
/// structure of these; nothing for any other type.
[[nodiscard]] std::optional<TypeLayout> layoutOf(mlir::Type type);

/// Where member `index` of `record` starts, in bytes; nothing where the layout of
/// one before it, or its own, is not known, or it has none of that number.
[[nodiscard]] std::optional<int64_t> memberOffset(mlir::LLVM::LLVMStructType record, int64_t index);

} // namespace regrain
