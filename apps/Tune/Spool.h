//===- Spool.h - Bytes that are kept for a second run -----------*- C++ -*-===//
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

/// A temporary file without a name: it is gone with the process.
class Spool {
public:
  static constexpr uint64_t mostBytes = uint64_t(1) << 30;

  Spool();
  Spool(const Spool &) = delete;
  ~Spool();

  /// Bytes from the first on that are kept.
  [[nodiscard]] uint64_t size() const { return kept; }
  /// Whether nothing that was to be kept is lost, because there was no place for it or it
  /// was more than `mostBytes`.
  [[nodiscard]] bool isComplete() const { return complete; }

  /// Where that fails the spool is not complete from here on and keeps no more.
  void append(std::string_view bytes);
  /// Up to `size` bytes from `offset` on; fewer at the end.
  size_t read(uint64_t offset, char *buffer, size_t size) const;
  /// Forgets what comes after the first `size` bytes.
  void truncate(uint64_t size);

private:
  int file;
  uint64_t kept = 0;
  bool complete = true;
};

} // namespace regrain::tune
