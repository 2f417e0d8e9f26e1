//===- Statistics.h - What a thread of a kernel does ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The statistics are computed from the grain IR before it is transformed. They order the space of
// grains (Model.h) and justify no transform: what is not known is assumed.
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
#include <set>
#include <string>
#include <vector>

namespace regrain {

/// Accesses to neighbouring elements through pointer parameters. They can be joined to wider ones
/// if the arguments are aligned, which no type promises.
struct Joinable {
  uint32_t least = 0, most = 0; ///< bytes of the smallest and the largest element; 0: there is none
  std::set<uint32_t> strides;   ///< the integer parameters in the addresses, by number
  /// The integer parameters that must be multiples for neighbours to have one quotient of their
  /// numbers as well, by number; none if they divide by nothing that parameters decide about.
  std::set<uint32_t> divisors = {};

  bool isAny() const { return most != 0; }

  /// Returns the launches in which the accesses to `joined` neighbours are aligned.
  [[nodiscard]] KnownLaunch alignedFor(uint32_t joined) const;
  /// Returns those of them in which neighbours also have one quotient.
  [[nodiscard]] KnownLaunch dividedFor(uint32_t joined) const;
};

/// How often something is done, as a polynomial in the unknown trip counts, such as 3 + 2*n1 +
/// n1*n2.
struct Count {
  /// Coefficients, by the numbers of the surrounding loops of unknown length, outermost first.
  std::map<std::vector<unsigned>, double> terms;

  /// Returns the value if each such loop runs `trips` times.
  [[nodiscard]] double at(double trips) const;
  [[nodiscard]] std::string text() const;
};

/// The coordinates that the code of a kernel reads. A dimension that is never read is 1 in every
/// sensible launch, and coarsening it gains nothing.
struct CoordinateUse {
  std::array<bool, 3> block = {};
  std::array<bool, 3> thread = {};
};

[[nodiscard]] CoordinateUse coordinateUse(grain::KernelOp kernel);

enum class Work : uint8_t {
  Arithmetic, ///< a call counts as ten
  Global,     ///< accesses to memory that is not known to be shared or a thread's own
  Shared,     ///< accesses to shared memory
  Branch,
  Barrier,
};
inline constexpr unsigned workKinds = 5;

/// What the code generator may do otherwise with a kernel's loops.
struct LoopFacts {
  /// A loop whose length is known is too long to be unrolled completely in every kernel, but not
  /// for a piece that asks for it.
  bool hasShort = false;
  bool hasOther = false;  ///< of unknown length, or too long to be unrolled completely
  bool hasSearch = false; ///< that ends early and only loads and computes
  /// A loop contains short guarded code that computes values, and loads only from arrays.
  bool hasGuards = false;
};

[[nodiscard]] LoopFacts loopFactsOf(grain::KernelOp kernel);

/// Returns whether the kernel seems to convert 8-bit floating-point numbers by inline PTX.
[[nodiscard]] bool convertsCodes(grain::KernelOp kernel);

/// Returns whether a loop adds up floating-point numbers.
[[nodiscard]] bool hasSumsInLoops(grain::KernelOp kernel);

/// Returns the iterations of a loop, if its bounds are constants.
[[nodiscard]] std::optional<double> tripsOf(mlir::Operation &loop);

/// The access to shared memory for whose banks the threads of a warp wait most.
struct BankConflict {
  unsigned ways = 1; ///< 1: no access is known for which they wait
  unsigned line = 0; ///< in the source; 0: not known
};

struct Statistics {
  CoordinateUse use;
  /// What one thread does, by the coordinates that the operation depends on (bits of Dependence):
  /// copies that differ only in other coordinates do it once for all. A condition without an else
  /// is assumed to hold, one with an else to hold half the time, and an equation of coordinates for
  /// a sixteenth of the threads.
  std::map<uint8_t, std::array<Count, workKinds>> work;
  /// The accesses to global memory whose address moves by their size from a thread to the next in
  /// x, y, z, by the same coordinates.
  std::map<uint8_t, std::array<Count, 3>> consecutive;
  /// Values in registers at the point where most are live, by the coordinates that the values
  /// depend on.
  std::map<uint8_t, unsigned> held;
  uint64_t sharedBytes = 0;                        ///< static, per block
  uint64_t arrayBytes = 0;                         ///< a thread's own arrays
  unsigned mostThreads = 0;                        ///< max per block, by its launch bounds; 0: none
  std::optional<Factors> seenBlock = std::nullopt; ///< the block of launches seen
  /// With that block known, threads exchange less through shared memory or wait for each other less
  /// often. The caller fills this in, since it does not follow from the code alone.
  bool gainsByBlock = false;
  /// Threads wait for each other, and on a target they do so faster if their block is known to be
  /// one warp at most. The caller fills this in.
  bool meetsInWarps = false;
  /// The grains for that block, or for one that is likely, at which it is one warp, which exchanges
  /// in registers what the program exchanges in shared memory. The caller fills this in.
  std::vector<Grain> warpExchanges = {};
  /// The launches seen in which a thread can keep in registers what it reads again from global
  /// memory. The caller fills this in.
  std::vector<KnownLaunch> keptRows = {};
  /// With that block known, loads of threads can be staged in shared memory, and a target is a GPU.
  /// The caller fills this in.
  bool sharesFootprint = false;
  /// The number of threads of the program's block below which a target gives a thread more
  /// registers; 0: no target does. The caller fills this in.
  unsigned bound = 0;
  /// The kernel stores what it does not read, and a target has stores for that. The caller fills
  /// this in.
  bool streamsStores = false;
  /// The kernel loads data once, and a target has loads for that. The caller fills this in.
  bool streamsLoads = false;
  /// Many loads from global memory have addresses that are apart, or at unknown distances, in
  /// neighbouring threads. The caller removes this if no target has loads for that.
  bool scattersLoads = false;
  /// Rows of a static shared array can be padded so that threads of a warp wait less for banks, and
  /// a target has banks. The caller fills this in.
  bool conflictsInBanks = false;
  BankConflict worstConflict = {};
  /// A loop whose threads take neighbouring elements can be dealt so that neighbouring threads do,
  /// and a target gains by that. The caller fills this in.
  bool dealsIterations = false;
  /// The grains at which lanes share the loops of a thread, if a target gains by that. The caller
  /// fills this in.
  std::vector<Grain> threadSplits = {};
  /// The grains at which threads access memory for each other in the order of addresses, if a
  /// target gains by that. The caller fills this in.
  std::vector<Grain> transposed = {};
  /// The grains at which threads take neighbouring elements of loops by which their block strides,
  /// if a target gains by that. The caller fills this in.
  std::vector<Grain> strided = {};
  /// The grains at which a block copies what it loads in a loop into shared memory, if a target
  /// gains by that. The caller fills this in.
  std::vector<Grain> stagedLoops = {};
  /// The grains at which joined blocks are a larger tile of shared memory, if a target gains by
  /// that. The caller fills this in.
  std::vector<Grain> joinedTiles = {};
  /// The grains at which blocks run in steps and keep a window of what they read in registers, if a
  /// target gains by that. The caller fills this in.
  std::vector<Grain> marched = {};
  /// The multiprocessors of the targets that are known GPUs. The caller fills this in.
  std::vector<Multiprocessor> multiprocessors = {};
  /// Atomic operations update a shared array, and nobody uses their results.
  bool accumulatesShared = false;
  /// Joined blocks can do so in common arrays. The caller fills this in.
  bool hasCommonArrays = false;
  bool cooperates = false; ///< threads of a block or lanes of a warp work together
  /// The code has a loop that is not unrolled completely, and on some target the code depends on
  /// how loops form addresses.
  bool choosesAddresses = false;
  LoopFacts loops = {};
  /// A target can be told how loops are unrolled, and which branches are selections instead. The
  /// caller fills this in.
  bool choosesControlFlow = false;
  /// Neighbouring threads access neighbouring elements of global memory, and no lane needs its
  /// neighbour.
  bool isWidenable = false;
  Joinable joinable = {};    ///< of neighbouring threads
  Joinable ownJoinable = {}; ///< of one thread, whose elements lie between those of its neighbours
  /// The kernel reads and writes through parameters that may point to the same memory.
  bool meetsPointers = false;
  /// The kernel seems to convert 8-bit floating-point numbers. The caller removes this if no target
  /// converts pairs of them.
  bool pairsNumbers = false;
  /// A loop adds up floating-point numbers. The caller removes this if their order must stay.
  bool sumsInLoops = false;
  /// A target's wide accesses must be aligned. The caller fills this in.
  bool alignsAccesses = false;
};

/// Computes the statistics of `kernel`; `launchBounds` are the program's, 0 if there are none.
[[nodiscard]] Statistics statisticsOf(grain::KernelOp kernel, unsigned launchBounds);

[[nodiscard]] bool hasLoopOfUnknownLength(const Statistics &statistics);

/// Returns one line for people: "3 + 2*n1 arithmetic operations, ...".
[[nodiscard]] std::string describe(const Statistics &statistics);

} // namespace regrain
