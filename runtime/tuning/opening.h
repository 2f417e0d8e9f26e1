//===- opening.h - Opening the database file --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/schema.h"

namespace regrain {

struct OpenedFile {
  std::unique_ptr<Connection> connection; ///< null: there is no file to read
  SchemaVersion version;                  ///< of the file, if it is only read
};

/// Opens a file that exists and is neither empty, damaged nor foreign. If its schema
/// is older, the result is an upgraded copy in memory.
[[nodiscard]] OrError<OpenedFile> openToRead(const std::string &path);

struct WritableFile {
  OrError<OpenedFile> file;
  std::string notice; ///< reports that a file was upgraded or moved aside; may be empty
};

/// Makes missing folders and a missing file, upgrades an older file and moves a
/// damaged one aside.
[[nodiscard]] WritableFile openToWrite(const std::string &path);

} // namespace regrain
