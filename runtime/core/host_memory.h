//===- host_memory.h - Available memory of the host -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdio>

namespace regrain {

/// Returns the bytes that the system reports as available; 0 if it does not
/// report them.
inline size_t availableHostBytes() {
  FILE *file = std::fopen("/proc/meminfo", "re");
  if (!file)
    return 0;
  char line[128];
  unsigned long long kib = 0;
  while (std::fgets(line, sizeof(line), file))
    if (std::sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
      break;
  std::fclose(file);
  return size_t(kib) * 1024;
}

} // namespace regrain
