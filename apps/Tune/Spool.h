//===- Spool.h - Bytes kept for a second run --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace regrain::tune {

/// A temporary file without a name, which disappears with the process.
class Spool {
public:
  static constexpr uint64_t mostBytes = uint64_t(1) << 30;

  Spool();
  Spool(const Spool &) = delete;
  ~Spool();

  /// Returns the number of bytes kept, from the first one on.
  [[nodiscard]] uint64_t size() const { return kept; }
  /// Returns whether all bytes were kept: none was lost because there was no space or
  /// there were more than `mostBytes`.
  [[nodiscard]] bool isComplete() const { return complete; }

  /// If this fails, the spool is incomplete from there on and keeps no more.
  void append(std::string_view bytes);
  /// Reads up to `size` bytes at `offset`; fewer at the end.
  size_t read(uint64_t offset, char *buffer, size_t size) const;
  /// Drops what follows the first `size` bytes.
  void truncate(uint64_t size);

private:
  int file;
  uint64_t kept = 0;
  bool complete = true;
};

} // namespace regrain::tune
