//===- Task.h - The inputs of a run of a fuzzed kernel ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Ast.h"
#include <utility>

namespace regrain::fuzz {

/// A launch, and the kernel's arguments.
struct Task {
  struct Buffer {
    std::string name;
    std::vector<uint32_t> words; ///< the contents before the launch
    bool isFloat = false;
    bool isExact = true; ///< the same after each run, for any order of threads
  };
  struct Parameter {
    std::optional<uint32_t> buffer = std::nullopt; ///< the buffer to which it points
    uint32_t offset = 0;                           ///< in words
    std::vector<uint8_t> bytes = {};               ///< of an argument by value
  };

  uint64_t seed = 0;
  Shape shape;
  uint32_t dynamicBytes = 0;
  std::vector<Buffer> buffers;
  std::vector<Parameter> parameters;
  /// Returns the integers that are passed by value: parameter number and value.
  std::vector<std::pair<uint32_t, uint32_t>> integers;
  /// Says that threads may wait for each other, even across blocks, and a run may
  /// never end.
  bool mayWait = false;
  /// Says that fences and atomics order some plain accesses.
  bool ordersByFences = false;
  bool awaitsLaunch = false;     ///< some threads wait for the launch in front
  bool hintsFollowWaits = false; ///< a thread may give a hint to the launch behind after a wait

  // What says which grains are worth trying.
  unsigned dimensions = 1; ///< the number that the kernel uses
  bool sharesMemory = false;
  bool exchangesElements = false;       ///< of shared arrays that can live in registers
  bool hasFlags = false;                ///< flags that are live across barriers
  bool isPattern = false;               ///< a program of a known form
  std::vector<std::string> grains = {}; ///< that fit its form
};

/// The contents of the buffers after a launch.
using Contents = std::vector<std::vector<uint32_t>>;

} // namespace regrain::fuzz
