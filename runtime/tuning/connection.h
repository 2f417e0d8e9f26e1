//===- connection.h - One SQLite connection ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Result codes are SQLite's extended ones. Only one thread at a time may use a
// connection.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/database.h"

#include <chrono>
#include <sqlite3.h>
#include <string_view>
#include <unistd.h>

namespace regrain {

/// A value or SQLite's result code, which is not SQLITE_OK.
template <typename Value> using OrCode = tl::expected<Value, int>;

class Connection {
public:
  /// Opens the file as `access` says; with ReadWrite, a missing file is created.
  [[nodiscard]] static OrError<std::unique_ptr<Connection>> open(const std::string &path,
                                                                 Database::Access access);
  /// Makes an empty database in memory. `path` is the name in its errors.
  [[nodiscard]] static OrError<std::unique_ptr<Connection>> openInMemory(const std::string &path);
  Connection(const Connection &) = delete;
  ~Connection();

  sqlite3 *get() const { return handle; }
  const std::string &path() const { return filePath; }

  /// Returns whether the process was forked. SQLite's locks belong to the process: a
  /// forked one must not use this connection on the file, not even to close it.
  bool isForked() const { return owner != ::getpid(); }

  /// Runs statements that have no parameters and whose rows are not needed.
  int run(const char *sql);

  /// Returns the error of `code`, with the file's name; no error for SQLITE_OK.
  [[nodiscard]] OrError<void> outcome(int code) const;
  /// Returns the error of a code that is not SQLITE_OK.
  [[nodiscard]] tl::unexpected<std::string> failure(int code) const;
  [[nodiscard]] tl::unexpected<std::string> failure(const std::string &what) const;

  /// Returns how long this connection waits for a lock of another process.
  std::chrono::milliseconds patience() const { return limit; }

  /// Must be called when the file can be read: connections that read then wait for
  /// locks again, after one of the process has waited in vain.
  static void noteReadable();

private:
  Connection(std::string path, std::chrono::milliseconds limit, bool mayGiveUp)
      : filePath(std::move(path)), limit(limit), mayGiveUp(mayGiveUp) {}
  int openFile(const char *file, int flags);
  static int wait(void *self, int attempt);

  sqlite3 *handle = nullptr;
  std::string filePath;
  pid_t owner = ::getpid();
  std::chrono::milliseconds limit;
  bool mayGiveUp; ///< it shares the patience of all readers
  std::chrono::steady_clock::time_point waitingSince;
};

/// Returns whether the code means that the file's contents are damaged, rather than
/// inaccessible.
bool isDamage(int code);

/// A statement with its parameters, in their order. next() steps to the next row;
/// a row's columns are read from left to right.
class Statement {
public:
  /// The condition that the row `k` of the table of kernels is of the TunedKernel
  /// bound here.
  static constexpr const char *sameKernel =
      " k.hash = ? AND k.generation = ? AND k.device = ? AND k.multiprocessors = ? AND "
      "k.driver = ? AND k.compiler = ? ";

  template <typename... Values>
  Statement(const Connection &connection, const char *sql, const Values &...values) {
    code = sqlite3_prepare_v2(connection.get(), sql, -1, &handle, nullptr);
    (bind(values), ...);
  }
  Statement(const Statement &) = delete;
  ~Statement() { sqlite3_finalize(handle); } // its result repeats that of next()

  bool next();
  /// Runs a statement without rows to completion.
  int finish();
  /// Returns SQLITE_OK unless something failed. After `next` returned false, it tells
  /// whether all rows were read.
  int status() const { return code; }

  std::string text();
  int64_t integer() { return sqlite3_column_int64(handle, column++); }
  double real() { return sqlite3_column_double(handle, column++); }

private:
  void bind(const std::string &value);
  void bind(int64_t value);
  void bind(double value);
  /// Binds all columns of Statement::sameKernel.
  void bind(const TunedKernel &kernel);

  sqlite3_stmt *handle = nullptr;
  int code = SQLITE_OK;
  int parameter = 0, column = 0;
};

} // namespace regrain
