//===- grain.h - The grain of a kernel and its SPEC notation ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A grain says how much of the program's launch one launched block and one
// launched thread run. SPEC is its text form, used on the command line, in the
// image and in REGRAIN_ALTERNATIVE; an alternative's id is its canonical SPEC.
// What can stand in it is the table of grain_keys.h, from which docs/grains.md is
// made.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace regrain {

/// Factors or sizes per dimension x, y, z; each is at least 1.
using Factors = std::array<uint32_t, 3>;
inline bool isOne(const Factors &factors) { return factors == Factors{1, 1, 1}; }

/// What an alternative is compiled for. A launch that differs runs the original.
struct KnownLaunch {
  std::optional<Factors> block;          ///< threads of the program's block
  std::optional<Factors> grid;           ///< blocks of the program's grid
  std::map<uint32_t, int64_t> arguments; ///< integers, by parameter number from 0
  bool empty() const { return *this == KnownLaunch(); }
  friend bool operator==(const KnownLaunch &, const KnownLaunch &) = default;
};

/// How loops form the addresses of what they access.
enum class Addresses : uint8_t {
  Reduced, ///< by pointers that move, where the compiler thinks it cheaper
  Indexed, ///< from the loop's index each time
  Wide,    ///< from an index of 64 bits, or by pointers that move
};

/// Where the static shared arrays of a launched block lie.
enum class SharedArrays : uint8_t {
  United, ///< in shared memory, in one piece
  Apart,  ///< in shared memory, a variable each
  Global, ///< in global memory that the runtime gives the launch
};

/// The steps stand in the order in which they are applied: the grid is cut anew
/// or blocks are fused; blocks, then threads of the result are coarsened.
struct Grain {
  Factors block = {1, 1, 1};                   ///< blocks per launched block, one after the other
  Factors thread = {1, 1, 1};                  ///< threads per launched thread
  Factors fuse = {1, 1, 1};                    ///< neighbouring blocks that run side by side as one
  std::optional<Factors> shape = std::nullopt; ///< block size that the iteration space is cut into
  bool contiguous = false;                     ///< a launched thread runs neighbours, not a stride
  bool remainder = false; ///< blocks that do not fill a launched one get a launch of their own
  SharedArrays shared = SharedArrays::United;
  bool nontemporal = false; ///< what nobody reads in the launch is stored past the caches
  Addresses addresses = Addresses::Reduced;
  uint32_t bound = 0; ///< most threads of a launched block, 0: as many as any launch has
  /// What the code generators of targets are told, by the names of keys: it is carried to them
  /// as function attributes of the kernel (attributeOf in grain_keys.h).
  std::map<std::string_view, uint32_t> codegen = {};
  bool control = false; ///< no change of grain: the original by the route of all others
  KnownLaunch known = {};

  bool isOriginal() const { return *this == Grain(); }
  /// Whether a launched block or thread runs other work than the program's.
  bool regroups() const { return takesGrid() || !isOne(thread); }
  /// How the blocks run that do not fill a launched one, where they get a launch
  /// of their own.
  Grain ofRemainder() const {
    Grain rest = *this;
    rest.block = {1, 1, 1};
    rest.remainder = false;
    if (rest.shared == SharedArrays::Apart)
      rest.shared = SharedArrays::United;
    return rest;
  }
  /// Whether a kernel at this grain is told the program's grid size.
  bool takesGrid() const { return !isOne(block) || !isOne(fuse) || shape.has_value(); }
  /// Whether it is told the program's block size, too.
  bool takesBlock() const { return shape.has_value(); }
  /// Whether it is given global memory in place of static shared memory.
  bool takesScratch() const { return shared == SharedArrays::Global; }
  friend bool operator==(const Grain &, const Grain &) = default;
};

/// A SPEC as written: totals ("block=8") are still to be balanced over the
/// dimensions that a kernel uses.
struct GrainSpec {
  Grain grain;                         ///< what is given per dimension
  std::optional<uint32_t> blockTotal;  ///< "block=8"
  std::optional<uint32_t> threadTotal; ///< "thread=4"
  std::optional<uint32_t> fuseTotal;   ///< "fuse=4"

  bool hasTotals() const { return blockTotal || threadTotal || fuseTotal; }
};

inline constexpr std::string_view controlId = "control";
/// Id of alternative 0.
inline constexpr std::string_view originalId = "original";

/// Parses a SPEC: "original", or pieces with commas between, each of a key of grain_keys.h:
/// "block.x=4,thread.x=4:contiguous,bound=256". On failure, contradictions included, returns
/// nothing and sets `error` to one sentence that names the wrong piece.
[[nodiscard]] std::optional<GrainSpec> parseGrainSpec(std::string_view text, std::string &error);

/// The canonical form: keys in the order of their table; x before y before z; factors of 1 left
/// out; a modifier after the last factor of its loop; "original" for the identity.
[[nodiscard]] std::string toString(const Grain &grain);

/// A form that may stand in a symbol: "block_x4_thread_y2_contiguous", with "m"
/// for the minus of a negative argument.
[[nodiscard]] std::string toSymbolSuffix(const Grain &grain);

/// One sentence if the steps of `grain` contradict each other, else empty.
[[nodiscard]] std::string findContradiction(const Grain &grain);

/// Spreads totals over the dimensions with `uses[d]`, prime factors largest
/// first to the dimension with the smallest factor so far, x before y before z.
/// Fused blocks are spread over those of `blockUses`.
[[nodiscard]] Grain balance(const GrainSpec &spec, std::array<bool, 3> blockUses,
                            std::array<bool, 3> threadUses);

/// "GLOB:SPEC", split at the last colon that does not introduce a modifier.
struct GrainRequest {
  std::string glob;
  std::string spec;
};
[[nodiscard]] std::optional<GrainRequest> parseGrainRequest(std::string_view text,
                                                            std::string &error);

/// Shell-style match (*, ?, [a-z]) of a whole demangled name. A glob without
/// '(' is matched against the name without its parameter list.
[[nodiscard]] bool matchesKernel(std::string_view glob, std::string_view demangledName);

} // namespace regrain
