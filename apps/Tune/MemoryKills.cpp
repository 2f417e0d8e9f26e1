//===- MemoryKills.cpp - Processes killed for lack of memory --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/MemoryKills.h"

#include <fstream>
#include <string>
#include <string_view>

namespace regrain::tune {
namespace {

/// Returns the number after `name` in a file of lines "NAME NUMBER"; 0 if there is
/// none.
uint64_t readCount(const std::string &path, const std::string &name) {
  std::ifstream file(path);
  std::string key;
  uint64_t value = 0;
  while (file >> key >> value)
    if (key == name)
      return value;
  return 0;
}

/// Returns the folder of this process's control group; empty if it is not known.
std::string controlGroupFolder() {
  constexpr std::string_view unified = "0::";
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(unified))
      return "/sys/fs/cgroup" + line.substr(unified.size());
  return "";
}

} // namespace

uint64_t countMemoryKills() {
  return readCount("/proc/vmstat", "oom_kill") +
         readCount(controlGroupFolder() + "/memory.events", "oom_kill");
}

} // namespace regrain::tune
