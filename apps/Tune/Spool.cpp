//===- Spool.cpp - Bytes kept for a second run ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/Spool.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <stdlib.h>
#include <string>
#include <unistd.h>

namespace regrain::tune {

Spool::Spool() {
  std::error_code error;
  std::string name = std::filesystem::temp_directory_path(error).string() + "/regrain-tune-XXXXXX";
  file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0)
    ::unlink(name.c_str());
  complete = file >= 0;
}

Spool::~Spool() {
  if (file >= 0)
    ::close(file);
}

void Spool::append(std::string_view bytes) {
  complete &= bytes.size() <= mostBytes - kept;
  while (complete && !bytes.empty()) {
    ssize_t written = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(kept));
    if (written < 0 && errno == EINTR)
      continue;
    complete = written > 0;
    if (!complete)
      return;
    kept += static_cast<uint64_t>(written);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

size_t Spool::read(uint64_t offset, char *buffer, size_t size) const {
  size = static_cast<size_t>(std::min<uint64_t>(size, kept - std::min(offset, kept)));
  size_t got = 0;
  while (got < size) {
    ssize_t bytes = ::pread(file, buffer + got, size - got, static_cast<off_t>(offset + got));
    if (bytes < 0 && errno == EINTR)
      continue;
    if (bytes <= 0)
      break;
    got += static_cast<size_t>(bytes);
  }
  return got;
}

void Spool::truncate(uint64_t size) { kept = std::min(kept, size); }

} // namespace regrain::tune
