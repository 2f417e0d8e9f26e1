//===- TemporaryFile.h - Files for tools that the compiler runs -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileUtilities.h"
#include <memory>
#include <string>

namespace regrain {

/// A file that is removed at the end of the scope.
struct TemporaryFile {
  llvm::SmallString<128> path;
  llvm::FileRemover remover;

  static llvm::Expected<std::unique_ptr<TemporaryFile>> create(llvm::StringRef suffix);
};

/// Says that the folder of temporary files takes none.
[[nodiscard]] llvm::Error cannotCreateTemporary(std::error_code code);

/// Replaces the contents of a file.
[[nodiscard]] llvm::Error writeFile(llvm::StringRef path, llvm::ArrayRef<char> contents);

[[nodiscard]] llvm::Expected<std::string> readFile(llvm::StringRef path);

} // namespace regrain
