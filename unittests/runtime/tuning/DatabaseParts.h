//===- tuning/DatabaseParts.h - Parts of tests of databases ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/database.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

namespace regrain {

/// Returns the error; empty if there is none.
template <typename Value> std::string errorOf(const OrError<Value> &result) {
  return result ? std::string() : result.error();
}

/// Returns the value, of which there must be one.
template <typename Value> Value valueOf(OrError<Value> result) {
  EXPECT_EQ(errorOf(result), "");
  return result ? std::move(*result) : Value();
}

/// A test with a folder of its own, in memory if there is one, since commits wait for
/// the disk.
class DatabaseTest : public testing::Test {
protected:
  DatabaseTest() {
    std::filesystem::path memory = "/dev/shm";
    std::filesystem::path parent =
        ::access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::temp_directory_path();
    std::string pattern = (parent / "regrain-db-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
    path = folder / "tuning.db";
  }
  ~DatabaseTest() override {
    std::error_code ignored; // a temporary folder that remains does no harm
    std::filesystem::remove_all(folder, ignored);
  }

  /// Opens it; `notice` is the last opening's.
  OrError<std::unique_ptr<Database>> openOrError(Database::Access access) {
    Database::Opened opened = Database::open(path, access);
    notice = std::move(opened.notice);
    return std::move(opened.database);
  }
  /// Does so without an error.
  std::unique_ptr<Database> open(Database::Access access) { return valueOf(openOrError(access)); }
  std::unique_ptr<Database> openToWrite() { return open(Database::Access::ReadWrite); }
  std::unique_ptr<Database> openToRead() { return open(Database::Access::ReadOnly); }

  /// Returns the error of an opening that returns no database.
  std::string refusal(Database::Access access) {
    OrError<std::unique_ptr<Database>> database = openOrError(access);
    EXPECT_TRUE(!database || !*database);
    return errorOf(database);
  }

  /// Returns every file of the folder with its contents.
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> files;
    for (const auto &entry : std::filesystem::directory_iterator(folder)) {
      std::ifstream stream(entry.path(), std::ios::binary);
      files[entry.path().filename()].assign(std::istreambuf_iterator<char>(stream), {});
    }
    return files;
  }
  void write(const std::string &name, const std::string &bytes) const {
    std::ofstream(folder / name, std::ios::binary) << bytes;
  }

  std::filesystem::path folder, path;
  std::string notice;
};

inline TunedKernel kernelWith(const std::string &hash) {
  return {hash, "33cc", "NVIDIA H100 80GB HBM3", 132, 13000, "regrain 0.1.0"};
}

inline Choice choiceOf(const TunedKernel &kernel, const std::string &launchClass,
                       const std::string &alternative = "block.x=4") {
  return {kernel,
          "void scale<float>(float *, int)",
          launchClass,
          alternative,
          "1.5 times as fast",
          12.5,
          8.25,
          {1.5, 1.25, 1.75},
          3,
          "bitwise, 3 launches",
          false,
          "2026-11-21T12:00:00Z",
          ""};
}

inline Exclusion exclusionOf(const TunedKernel &kernel, const std::string &alternative) {
  return {kernel, "void scale<float>(float *, int)", alternative, "differs at byte 4096",
          "2026-11-21T12:00:00Z"};
}

/// Changes the file as another program would.
inline void runSql(const std::string &file, const std::string &sql) {
  sqlite3 *handle = nullptr;
  char *message = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
  sqlite3_free(message);
  EXPECT_EQ(sqlite3_close(handle), SQLITE_OK);
}

inline Measurement measurementOf(const TunedKernel &kernel, const std::string &session,
                                 uint32_t launch = 0) {
  return {kernel,  "void scale<float>(float *, int)",
          "a",     "block.x=2",
          session, launch,
          8.5,     10,
          5,       {2, 1.5, 2.5},
          12,      "timed",
          0.75,    {3 << 20, 1 << 20},
          4096};
}

inline std::vector<Choice> choicesIn(Database &database) { return valueOf(database.allChoices()); }

inline std::vector<Exclusion> exclusionsIn(Database &database) {
  return valueOf(database.allExclusions());
}

/// Runs SQLite's own check.
inline void expectSound(Database &database) {
  EXPECT_EQ(valueOf(database.condition()).faults, std::vector<std::string>());
}

} // namespace regrain
