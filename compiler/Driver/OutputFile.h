//===- OutputFile.h - Files that appear whole or not at all -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace regrain {

/// A file that is written under another name beside its own and renamed at the end. Without keep()
/// it is removed, by the destructor or by the handler of an interrupt.
class OutputFile {
public:
  /// Creates a file for `path`. If `path` is not a regular file (/dev/null), it is written
  /// directly.
  static llvm::Expected<OutputFile> create(llvm::StringRef path);

  /// Creates a file in the system's folder for temporary files, "name-XXXXXX.extension".
  static llvm::Expected<OutputFile> createTemporary(llvm::StringRef name,
                                                    llvm::StringRef extension);

  OutputFile(OutputFile &&other);
  OutputFile &operator=(OutputFile &&) = delete;
  ~OutputFile();

  /// Returns the path to write to.
  const std::string &path() const { return temporary; }

  llvm::Error write(llvm::ArrayRef<char> bytes);

  /// Renames the file to its own name.
  llvm::Error keep();

private:
  OutputFile(std::string temporary, std::string finalPath);
  void release();

  std::string temporary; ///< empty once kept
  std::string finalPath; ///< empty: only temporary; equal to `temporary`: written directly
};

} // namespace regrain
