//===- ObjectCode.h - The code of a kernel without its name -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace regrain {

/// Returns `text` with each `symbol` replaced.
[[nodiscard]] std::string withoutName(llvm::StringRef text, llvm::StringRef symbol);

/// Returns the bytes and relocations of those loaded sections of an ELF file whose names `isOwn`
/// accepts; of all that are loaded if it accepts none. Names in it have `symbol` replaced. Fails if
/// the file is damaged.
llvm::Expected<std::string> sectionsOf(llvm::ArrayRef<char> object, llvm::StringRef symbol,
                                       llvm::function_ref<bool(llvm::StringRef)> isOwn);

} // namespace regrain
