//===- Statistics.h - What a thread of a kernel does ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read off the grain IR before anything is transformed. The figures order the
// space of grains (Model.h) and license nothing: what is not known is assumed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Uniformity.h"
#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Target/Multiprocessor.h"
#include "runtime/image/grain.h"
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace regrain {

/// How often something is done, as a polynomial in the trip counts that are not
/// known: 3 + 2*n1 + n1*n2.
struct Count {
  /// Coefficients, by the numbers of the loops of unknown length around,
  /// outermost first.
  std::map<std::vector<unsigned>, double> terms;

  /// Its value where each such loop runs `trips` times.
  [[nodiscard]] double at(double trips) const;
  [[nodiscard]] std::string text() const;
};

/// Which coordinates the code of a kernel reads. A dimension that is never read
/// is 1 in every sensible launch, and coarsening it gains nothing.
struct CoordinateUse {
  std::array<bool, 3> block = {};
  std::array<bool, 3> thread = {};
};

[[nodiscard]] CoordinateUse coordinateUse(grain::KernelOp kernel);

enum class Work : uint8_t {
  Arithmetic, ///< a call counts as ten
  Global,     ///< accesses of memory that is not known to be shared or a thread's own
  Shared,     ///< accesses of shared memory
  Branch,
  Barrier,
};
inline constexpr unsigned workKinds = 5;

struct Statistics {
  CoordinateUse use;
  /// What one thread does, by the coordinates that the operation depends on
  /// (bits of Dependence): copies that differ in other coordinates alone do it
  /// once for all. A condition without an else is taken to hold, one with an
  /// else to hold half the time, an equation of coordinates for a sixteenth of the
  /// threads.
  std::map<uint8_t, std::array<Count, workKinds>> work;
  /// Of the accesses of global memory those whose address moves by their size from
  /// a thread to the next in x, y, z, by the same coordinates.
  std::map<uint8_t, std::array<Count, 3>> consecutive;
  /// Registers that hold values where most are live, by the coordinates that
  /// the values depend on.
  std::map<uint8_t, unsigned> held;
  uint64_t sharedBytes = 0;                        ///< static, of a block
  uint64_t arrayBytes = 0;                         ///< of a thread's own arrays
  unsigned mostThreads = 0;                        ///< of a block, by its launch bounds; 0: none
  std::optional<Factors> seenBlock = std::nullopt; ///< threads of the block in launches seen
  /// With that block known, threads exchange less through shared memory or wait for
  /// each other less often. Not of the code alone: to be filled in.
  bool gainsByBlock = false;
  /// Threads of the program's block below which a target gives a thread more registers,
  /// 0: none does. Not of the code alone: to be filled in.
  unsigned bound = 0;
  /// The kernel stores what it does not read, and a target has stores for that. Not of the
  /// work alone: to be filled in.
  bool streamsStores = false;
  /// Of the targets that are GPUs and known. Not of the code: to be filled in.
  std::vector<Multiprocessor> multiprocessors = {};
  bool cooperates = false; ///< threads of a block or lanes of a warp work together
  /// The code has a loop that is not unrolled away, and a target whose code depends
  /// on how loops form addresses.
  bool choosesAddresses = false;
  /// Neighbouring threads access neighbouring elements of global memory, and no
  /// lane needs its neighbour.
  bool isWidenable = false;
};

/// `launchBounds` are the program's, 0 where it gives none.
[[nodiscard]] Statistics statisticsOf(grain::KernelOp kernel, unsigned launchBounds);

[[nodiscard]] bool hasLoopOfUnknownLength(const Statistics &statistics);

/// One line for people: "3 + 2*n1 arithmetic operations, ...".
[[nodiscard]] std::string describe(const Statistics &statistics);

} // namespace regrain
