//===- PtxModule.h - The parts of a PTX file --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: NVIDIA's "PTX ISA", chapters "Syntax", "Directives" and "State Spaces". Only the
// declarations at the level of the module are read, and the names that they mention.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace regrain {

/// One declaration of a module.
struct PtxItem {
  enum class Kind {
    Variable,
    Function,    ///< with a body
    Declaration, ///< of a function, without a body
    Kernel,
  };
  Kind kind;
  llvm::StringRef name;
  llvm::StringRef text; ///< all of it, with the semicolon or the closing brace
  /// The code of a function, with its braces; the initial value of a variable; otherwise empty.
  llvm::StringRef body;
};

/// A parameter of a kernel.
struct PtxParameter {
  uint32_t offset, size; ///< bytes
  friend bool operator==(const PtxParameter &, const PtxParameter &) = default;
};

/// The declarations of a PTX file. They point into its text, which must live longer.
struct PtxModule {
  unsigned version = 0; ///< of the language: 90 for 9.0
  std::vector<PtxItem> items;
};

/// Reads a PTX file. Fails, with a sentence, on a directive of the module that is not known.
[[nodiscard]] llvm::Expected<PtxModule> parsePtxModule(llvm::StringRef text);

/// Returns the parameters of a kernel; nothing if one has a form that is not known.
[[nodiscard]] std::optional<std::vector<PtxParameter>> parametersOf(const PtxItem &kernel);

/// Returns the bytes of a variable; nothing if its form is not known.
[[nodiscard]] std::optional<uint64_t> sizeOf(const PtxItem &variable);

/// Calls `found` with each name in the item's body that may be that of a declaration: not
/// instructions, directives, registers, labels at their definition, or names that the function
/// itself declares.
void forEachName(const PtxItem &item, llvm::function_ref<void(llvm::StringRef)> found);

} // namespace regrain
