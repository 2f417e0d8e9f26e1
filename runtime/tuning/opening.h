//===- opening.h - From a path to a usable file -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/schema.h"

namespace regrain {

struct OpenedFile {
  std::unique_ptr<Connection> connection; ///< null: an error, or nothing to read
  SchemaVersion version;                  ///< of the file, where it is only read
};

/// A file that exists and is neither empty, damaged nor somebody else's. Of an older
/// schema it is a copy in memory, brought forward.
OpenedFile openToRead(const std::string &path, DatabaseError &error);

/// Makes folders and file where they are missing, brings an older file forward and
/// moves a damaged one aside; `notice` says so.
OpenedFile openToWrite(const std::string &path, DatabaseError &error, std::string &notice);

} // namespace regrain
