//===- set_aside.cpp - Moving a damaged file out of the way ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two processes may find the same damage. Each locks what it has open, as SQLite does
// for a change, and looks whether the file still has its name: so neither moves the
// new file that the other has begun, nor one that somebody is changing.
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/set_aside.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/stat.h>
#include <thread>

namespace regrain {
namespace {

/// An exclusive lock on the file of a connection, past SQLite's reading of its contents.
class FileLock {
public:
  explicit FileLock(Connection &connection) {
    sqlite3_file_control(connection.get(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
    auto end = std::chrono::steady_clock::now() + connection.patience();
    for (int level : {SQLITE_LOCK_SHARED, SQLITE_LOCK_RESERVED, SQLITE_LOCK_EXCLUSIVE})
      while ((code = file->pMethods->xLock(file, level)) != SQLITE_OK) {
        if ((code & 0xff) != SQLITE_BUSY || std::chrono::steady_clock::now() > end)
          return;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
  }
  FileLock(const FileLock &) = delete;
  ~FileLock() { file->pMethods->xUnlock(file, SQLITE_LOCK_NONE); }
  int code = SQLITE_OK;

private:
  sqlite3_file *file = nullptr;
};

bool exists(const std::string &path) {
  struct stat status;
  return ::lstat(path.c_str(), &status) == 0;
}

std::string freeName(const std::string &path) {
  for (int number = 1;; ++number) {
    std::string name = path + ".damaged-" + std::to_string(number);
    if (!exists(name) && !exists(name + "-journal"))
      return name;
  }
}

} // namespace

std::string setAside(Connection &connection, DatabaseError &error) {
  FileLock lock(connection);
  error = connection.failure(lock.code);
  int hasMoved = 0;
  sqlite3_file_control(connection.get(), "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved);
  if (error || hasMoved)
    return {};
  const std::string &path = connection.path();
  std::string name = freeName(path);
  // The journal goes first: it would be played back into the new file.
  bool isDone =
      std::rename((path + "-journal").c_str(), (name + "-journal").c_str()) == 0 || errno == ENOENT;
  isDone = isDone && std::rename(path.c_str(), name.c_str()) == 0;
  if (!isDone)
    error = connection.failure("it is damaged and cannot be moved to '" + name +
                               "': " + std::strerror(errno));
  return isDone ? name : std::string();
}

} // namespace regrain
