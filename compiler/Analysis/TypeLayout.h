//===- TypeLayout.h - Layout of types in memory -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout is that of nvptx64: every type has its natural alignment.
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

/// Returns the layout of a number of at most 128 bits, a pointer, or an array, a vector or a
/// structure of these; nothing for any other type.
[[nodiscard]] std::optional<TypeLayout> layoutOf(mlir::Type type);

/// Returns the offset of member `index` of `record` in bytes; nothing if there is no such member,
/// or if its layout or that of a member before it is not known.
[[nodiscard]] std::optional<int64_t> memberOffset(mlir::LLVM::LLVMStructType record, int64_t index);

} // namespace regrain
