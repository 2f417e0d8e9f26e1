//===- Task.h - What running a fuzzed kernel takes --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Ast.h"
#include <utility>

namespace regrain::fuzz {

/// A launch, and what the kernel is handed.
struct Task {
  struct Buffer {
    std::string name;
    std::vector<uint32_t> words; ///< before the launch
    bool isFloat = false;
    bool isExact = true; ///< the same after each run, whatever order threads come in
  };
  struct Parameter {
    std::optional<uint32_t> buffer = std::nullopt; ///< that it points into
    uint32_t offset = 0;                           ///< words
    std::vector<uint8_t> bytes = {};               ///< of what is passed by value
  };

  uint64_t seed = 0;
  Shape shape;
  uint32_t dynamicBytes = 0;
  std::vector<Buffer> buffers;
  std::vector<Parameter> parameters;
  /// The integers that are passed by value: parameter number and value.
  std::vector<std::pair<uint32_t, uint32_t>> integers;
  /// Threads may wait for each other, across blocks too, and a run may never end.
  bool mayWait = false;
  /// Fences and atomics order some plain accesses.
  bool ordersByFences = false;

  // What says which grains are worth trying.
  unsigned dimensions = 1; ///< that the kernel has use for
  bool sharesMemory = false;
  bool hasFlags = false; ///< that live across barriers
};

/// The contents of the buffers after a launch.
using Contents = std::vector<std::vector<uint32_t>>;

} // namespace regrain::fuzz
