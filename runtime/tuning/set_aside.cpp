//===- set_aside.cpp - Moving a damaged file out of the way ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file is emptied in place, not renamed: SQLite finds a journal by the file's name,
// so that a process which still has a renamed file open would take the journal of the
// new one for its own, and play it back. Two processes may find the same damage: each
// locks the file, as SQLite does for a change, and checks that it still is the damaged
// one.
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/set_aside.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>

namespace regrain {
namespace {

/// An exclusive lock on a file, without SQLite's reading of its contents.
class FileLock {
public:
  FileLock(sqlite3_file *file, std::chrono::milliseconds patience) : file(file) {
    auto end = std::chrono::steady_clock::now() + patience;
    while ((code = tryAll()) != SQLITE_OK) {
      // Two processes that both wait with a shared lock would deadlock.
      file->pMethods->xUnlock(file, SQLITE_LOCK_NONE);
      if ((code & 0xff) != SQLITE_BUSY || std::chrono::steady_clock::now() > end)
        return;
      std::this_thread::sleep_for(std::chrono::microseconds(2000 + ::getpid() % 64 * 64));
    }
  }
  FileLock(const FileLock &) = delete;
  ~FileLock() { file->pMethods->xUnlock(file, SQLITE_LOCK_NONE); }
  int code = SQLITE_OK;

private:
  int tryAll() const {
    for (int level : {SQLITE_LOCK_SHARED, SQLITE_LOCK_RESERVED, SQLITE_LOCK_EXCLUSIVE})
      if (int failed = file->pMethods->xLock(file, level))
        return failed;
    return SQLITE_OK;
  }
  sqlite3_file *file;
};

constexpr int64_t chunkBytes = 1 << 16;

/// A new file beside the database.
class Copy {
public:
  explicit Copy(const std::string &database) {
    for (int number = 1; descriptor < 0; ++number) {
      path = database + ".damaged-" + std::to_string(number);
      descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
      if (descriptor < 0 && errno != EEXIST)
        return;
    }
  }
  Copy(const Copy &) = delete;
  ~Copy() {
    if (descriptor >= 0)
      ::close(descriptor);
    if (descriptor >= 0 && !isComplete)
      ::unlink(path.c_str());
  }

  /// Returns false, with the reason in errno, on failure.
  bool takeAll(sqlite3_file *file, int64_t bytes) {
    std::string chunk;
    for (int64_t offset = 0; descriptor >= 0 && offset < bytes; offset += chunk.size()) {
      chunk.resize(std::min(chunkBytes, bytes - offset));
      if (file->pMethods->xRead(file, chunk.data(), chunk.size(), offset) != SQLITE_OK)
        return errno = EIO, false;
      for (size_t done = 0; done < chunk.size();) {
        ssize_t written = ::write(descriptor, chunk.data() + done, chunk.size() - done);
        if (written < 0 && errno != EINTR)
          return false;
        done += std::max<ssize_t>(written, 0);
      }
    }
    isComplete = descriptor >= 0 && ::fsync(descriptor) == 0;
    return isComplete;
  }
  std::string path;

private:
  int descriptor = -1;
  bool isComplete = false;
};

} // namespace

static sqlite3_file *fileOf(const Connection &connection) {
  sqlite3_file *file = nullptr;
  sqlite3_file_control(connection.get(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
  return file;
}

Fingerprint fingerprintOf(const Connection &connection) {
  Fingerprint found;
  struct stat status;
  if (::stat(connection.path().c_str(), &status) != 0)
    return found;
  found.bytes = status.st_size;
  found.seconds = status.st_mtim.tv_sec;
  found.nanoseconds = status.st_mtim.tv_nsec;
  sqlite3_file *file = fileOf(connection);
  // Beyond the end of a file, the read gives zeros.
  int code = file->pMethods->xRead(file, found.header.data(), found.header.size(), 0);
  return code == SQLITE_OK || code == SQLITE_IOERR_SHORT_READ ? found : Fingerprint{};
}

OrError<std::string> setAside(Connection &connection, const Fingerprint &before) {
  sqlite3_file *file = fileOf(connection);
  FileLock lock(file, connection.patience());
  if (lock.code != SQLITE_OK)
    return connection.failure(lock.code);
  int hasMoved = 0;
  sqlite3_file_control(connection.get(), "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved);
  if (hasMoved || fingerprintOf(connection) != before)
    return std::string();
  Copy copy(connection.path());
  if (!copy.takeAll(file, before.bytes))
    return connection.failure("it is damaged and cannot be moved to '" + copy.path +
                              "': " + std::strerror(errno));
  // A writer that has just died may have left the journal: SQLite would play it back
  // into the new file.
  if (std::rename((connection.path() + "-journal").c_str(), (copy.path + "-journal").c_str()) !=
          0 &&
      errno != ENOENT)
    return connection.failure(std::string("its journal cannot be moved: ") + std::strerror(errno));
  if (int code = file->pMethods->xTruncate(file, 0))
    return connection.failure(code);
  return copy.path;
}

} // namespace regrain
