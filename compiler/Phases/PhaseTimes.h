//===- PhaseTimes.h - Where compile time goes -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures seconds per phase for --time-phases. Phases do not nest. Tasks run in several threads;
// the seconds of a phase are the sum of their wall-clock times, so that those of a child process
// count.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Support/raw_ostream.h"
#include <array>
#include <atomic>
#include <chrono>

namespace regrain {

enum class Phase : uint8_t {
  Frontend,  ///< clang, device side
  Host,      ///< clang, host side
  Facts,     ///< what the tuner is told of each kernel
  Import,    ///< LLVM IR to grain IR
  Transform, ///< a kernel to one grain
  Export,    ///< grain IR to LLVM IR
  Optimise,  ///< LLVM's passes and the target's own, on originals and alternatives
  Generate,  ///< LLVM IR to PTX or an object
  Assemble,  ///< ptxas
};
constexpr unsigned phaseCount = 9;

/// Collects the times of all phases. Several threads may add at once.
class PhaseTimes {
public:
  using Clock = std::chrono::steady_clock;

  void add(Phase phase, Clock::duration time) {
    spent[unsigned(phase)] += std::chrono::nanoseconds(time).count();
  }

  /// Prints one line per phase: its name, its seconds, and its share of the total.
  void print(llvm::raw_ostream &stream) const;

private:
  std::array<std::atomic<int64_t>, phaseCount> spent{}; ///< nanoseconds
};

/// Adds the time until the end of its scope; does nothing if `times` is null.
class PhaseTimer {
public:
  PhaseTimer(PhaseTimes *times, Phase phase)
      : times(times), phase(phase), start(PhaseTimes::Clock::now()) {}
  ~PhaseTimer() {
    if (times)
      times->add(phase, PhaseTimes::Clock::now() - start);
  }
  PhaseTimer(const PhaseTimer &) = delete;
  PhaseTimer &operator=(const PhaseTimer &) = delete;

private:
  PhaseTimes *times;
  Phase phase;
  PhaseTimes::Clock::time_point start;
};

} // namespace regrain
