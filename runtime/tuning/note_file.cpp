//===- note_file.cpp - What processes tell `regrain tune` -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/note_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace regrain {
namespace {

constexpr size_t reservedBytes = 512;

/// Returns 0, or an errno.
int writeTo(const std::string &path, int flags, const std::string &text) {
  int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
  if (file < 0)
    return errno;
  ssize_t written = ::write(file, text.data(), text.size());
  int error = written < 0 ? errno : size_t(written) < text.size() ? ENOSPC : 0;
  return ::close(file) == 0 || error ? error : errno;
}

} // namespace

OrError<void> NoteFile::reserve() const {
  int error = writeTo(path, O_CREAT | O_TRUNC, std::string(reservedBytes, '\n'));
  if (!error)
    return {};
  remove();
  return tl::unexpected("no file can be written beside the tuning database: '" + path +
                        "': " + std::strerror(error));
}

bool NoteFile::write(const std::string &line) const {
  return writeTo(path, 0, line.substr(0, reservedBytes - 1) + '\n') == 0;
}

std::string NoteFile::read() const {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

void NoteFile::remove() const {
  std::error_code stays; // then it is only litter
  std::filesystem::remove(path, stays);
}

} // namespace regrain
