//===- note_file.h - What processes tell `regrain tune` ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/or_error.h"

#include <string>

namespace regrain {

/// A file beside the database for one line of text. `regrain tune` reserves its space, so that
/// processes can write the line on a full disk. The last one stays.
class NoteFile {
public:
  /// The line of the session's first process that cannot store its measurements.
  NoteFile(const std::string &database, const std::string &session)
      : path(database + "." + session + ".unstored") {}

  OrError<void> reserve() const;
  /// Returns whether the line is written, as far as there is space; it is not without reserve().
  [[nodiscard]] bool write(const std::string &line) const;
  /// Returns the line; empty if there is none.
  [[nodiscard]] std::string read() const;
  void remove() const;

private:
  std::string path;
};

} // namespace regrain
