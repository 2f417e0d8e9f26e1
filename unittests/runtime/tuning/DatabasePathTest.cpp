//===- tuning/DatabasePathTest.cpp - The path of the database -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/database.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <optional>
#include <stdlib.h>

using namespace regrain;

namespace {

/// Returns the path in an environment; a null variable is not set.
OrError<std::string> placeWith(const char *database, const char *cache, const char *home) {
  std::pair<const char *, const char *> wanted[] = {
      {"REGRAIN_DB", database}, {"XDG_CACHE_HOME", cache}, {"HOME", home}};
  std::optional<std::string> before[3];
  for (int i = 0; i < 3; ++i) {
    auto [name, value] = wanted[i];
    if (const char *old = ::getenv(name))
      before[i] = old;
    value ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  OrError<std::string> path = Database::defaultPath();
  for (int i = 0; i < 3; ++i)
    before[i] ? ::setenv(wanted[i].first, before[i]->c_str(), 1) : ::unsetenv(wanted[i].first);
  return path;
}

TEST(DatabasePath, FollowsTheEnvironment) {
  EXPECT_EQ(placeWith("/x/y.db", "/cache", "/home/u"), "/x/y.db");
  EXPECT_EQ(placeWith(nullptr, "/cache", "/home/u"), "/cache/regrain/tuning.db");
  EXPECT_EQ(placeWith("", "/cache", nullptr), "/cache/regrain/tuning.db");
  EXPECT_EQ(placeWith(nullptr, nullptr, "/home/u"), "/home/u/.cache/regrain/tuning.db");
  EXPECT_EQ(placeWith(nullptr, "relative", "/home/u"), "/home/u/.cache/regrain/tuning.db");
  EXPECT_EQ(placeWith("y.db", nullptr, nullptr), std::filesystem::current_path() / "y.db");
}

TEST(DatabasePath, OffIsNone) { EXPECT_EQ(placeWith("off", "/cache", "/home/u"), ""); }

TEST(DatabasePath, NoHomeIsAnError) {
  OrError<std::string> none = placeWith(nullptr, nullptr, nullptr);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error(),
            "there is no place for a tuning database: none of REGRAIN_DB, XDG_CACHE_HOME "
            "and HOME is set");
}

} // namespace
