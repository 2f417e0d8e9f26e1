//===- database_path.cpp - The path of the tuning database ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/database.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace regrain {
namespace {

std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

} // namespace

OrError<std::string> Database::defaultPath() {
  std::string asked = environment("REGRAIN_DB");
  if (asked == "off")
    return std::string();
  if (!asked.empty()) {
    // The path is made absolute, because the program may change its folder
    // before the file is opened.
    std::error_code noFolder;
    std::filesystem::path absolute = std::filesystem::absolute(asked, noFolder);
    return noFolder ? asked : absolute.string();
  }
  // The base directory specification forbids relative paths here.
  std::string cache = environment("XDG_CACHE_HOME");
  if (!cache.starts_with('/')) {
    std::string home = environment("HOME");
    if (home.empty())
      return tl::make_unexpected("there is no place for a tuning database: none of REGRAIN_DB, "
                                 "XDG_CACHE_HOME and HOME is set");
    cache = home + "/.cache";
  }
  return cache + "/regrain/tuning.db";
}

} // namespace regrain
