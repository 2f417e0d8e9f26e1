//===- connection.cpp - One SQLite connection -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The journal is a rollback journal, not a write-ahead log: the log needs memory
// that all processes share, which network file systems lack, and a reader writes to
// it, which a normal run must not.
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/connection.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <thread>

namespace regrain {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds readerPatience(50);
constexpr milliseconds writerPatience(15'000);

/// A program with many kernels loses 50 ms in total to a locked file, not 50 ms for
/// each kernel.
std::atomic<bool> haveReadersGivenUp = false;

/// `temp_store`: sorting creates no files. `mmap_size`: a file that another process
/// truncates is an error, not a signal. `trusted_schema`: reading a foreign file
/// executes nothing. None of these settings reads the file.
constexpr const char *settings = "PRAGMA temp_store=MEMORY; PRAGMA mmap_size=0;"
                                 "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;";

/// After a failed commit, only the file object has the error number.
int systemError(sqlite3 *handle) {
  int number = sqlite3_system_errno(handle);
  if (number == 0)
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_LAST_ERRNO, &number);
  return number;
}

std::string describe(sqlite3 *handle, int code) {
  const char *message =
      sqlite3_extended_errcode(handle) == code ? sqlite3_errmsg(handle) : sqlite3_errstr(code);
  switch (code & 0xff) {
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
    return "the file is damaged (" + std::string(message) + ")";
  case SQLITE_BUSY:
    return "another process holds the file";
  case SQLITE_FULL:
    return "the disk is full; nothing was changed";
  case SQLITE_CANTOPEN:
  case SQLITE_IOERR:
    if (int number = systemError(handle))
      return std::string(message) + ": " + std::strerror(number);
    break;
  case SQLITE_READONLY:
    if (code == SQLITE_READONLY_ROLLBACK)
      return "a process was killed while it changed the file; the next regrain tune or regrain db "
             "that writes to it undoes the change";
    if (code == SQLITE_READONLY_DBMOVED)
      return "the file was moved or deleted while it was open";
    break;
  }
  return message;
}

} // namespace

bool isDamage(int code) {
  return (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB;
}

/// SQLite calls this while another process holds a lock; 0 gives up.
int Connection::wait(void *self, int attempt) {
  auto &connection = *static_cast<Connection *>(self);
  auto now = std::chrono::steady_clock::now();
  if (attempt == 0)
    connection.waitingSince = now;
  if (connection.mayGiveUp && haveReadersGivenUp)
    return 0;
  if (now - connection.waitingSince >= connection.limit) {
    if (connection.mayGiveUp)
      haveReadersGivenUp = true;
    return 0;
  }
  // The random wait keeps processes that wait for each other out of step.
  milliseconds longest(std::min(attempt + 1, 20));
  auto spread = std::chrono::microseconds(::getpid() % 64 * 16);
  std::this_thread::sleep_for(std::min<std::chrono::microseconds>(
      longest + spread, std::chrono::duration_cast<std::chrono::microseconds>(
                            connection.waitingSince + connection.limit - now)));
  return 1;
}

void Connection::noteReadable() { haveReadersGivenUp = false; }

int Connection::openFile(const char *file, int flags) {
  constexpr int always = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE;
  int code = sqlite3_open_v2(file, &handle, flags | always, nullptr);
  if (code == SQLITE_OK)
    code = sqlite3_busy_handler(handle, wait, this);
  return code == SQLITE_OK ? run(settings) : code;
}

OrError<std::unique_ptr<Connection>> Connection::open(const std::string &path,
                                                      Database::Access access) {
  bool writes = access == Database::Access::ReadWrite;
  std::unique_ptr<Connection> connection(
      new Connection(path, writes ? writerPatience : readerPatience, /*mayGiveUp=*/!writes));
  if (int code = connection->openFile(
          path.c_str(), writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY))
    return connection->failure(code);
  return connection;
}

OrError<std::unique_ptr<Connection>> Connection::openInMemory(const std::string &path) {
  std::unique_ptr<Connection> connection(new Connection(path, writerPatience, /*mayGiveUp=*/false));
  if (int code = connection->openFile(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE))
    return connection->failure(code);
  return connection;
}

Connection::~Connection() {
  if (!isForked())
    sqlite3_close(handle); // fails only while a statement is open: none is here
}

int Connection::run(const char *sql) {
  return sqlite3_exec(handle, sql, nullptr, nullptr, nullptr);
}

OrError<void> Connection::outcome(int code) const {
  if (code != SQLITE_OK)
    return failure(code);
  return {};
}

tl::unexpected<std::string> Connection::failure(int code) const {
  return failure(describe(handle, code));
}

tl::unexpected<std::string> Connection::failure(const std::string &what) const {
  return tl::unexpected("tuning database '" + filePath + "': " + what);
}

void Statement::bind(const std::string &value) {
  if (code == SQLITE_OK)
    code = sqlite3_bind_text64(handle, ++parameter, value.data(), value.size(), SQLITE_TRANSIENT,
                               SQLITE_UTF8);
}

void Statement::bind(int64_t value) {
  if (code == SQLITE_OK)
    code = sqlite3_bind_int64(handle, ++parameter, value);
}

void Statement::bind(double value) {
  if (code == SQLITE_OK)
    code = std::isfinite(value) ? sqlite3_bind_double(handle, ++parameter, value) : SQLITE_MISMATCH;
}

void Statement::bind(const TunedKernel &kernel) {
  bind(kernel.hash);
  bind(kernel.generation);
  bind(kernel.device);
  bind(int64_t{kernel.multiprocessors});
  bind(int64_t{kernel.driver});
  bind(kernel.compiler);
}

bool Statement::next() {
  column = 0;
  if (code != SQLITE_OK)
    return false;
  int stepped = sqlite3_step(handle);
  if (stepped != SQLITE_ROW && stepped != SQLITE_DONE)
    code = stepped;
  return stepped == SQLITE_ROW;
}

int Statement::finish() {
  while (next()) {
  }
  return code;
}

std::string Statement::text() {
  const unsigned char *bytes = sqlite3_column_text(handle, column);
  int size = sqlite3_column_bytes(handle, column++);
  return bytes ? std::string(reinterpret_cast<const char *>(bytes), size) : std::string();
}

} // namespace regrain
