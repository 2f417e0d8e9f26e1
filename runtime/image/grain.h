//===- grain.h - The grain of a kernel and its SPEC notation ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A grain says how much of the program's launch one launched block and one
// launched thread execute. SPEC is its text form, used on the command line, in
// the image and in REGRAIN_ALTERNATIVE; an alternative's id is its canonical
// SPEC. The table of grain_keys.h defines its contents and generates
// docs/grains.md.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/or_error.h"

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

/// The launch for which an alternative is compiled. A launch that differs runs
/// the original.
struct KnownLaunch {
  std::optional<Factors> block;           ///< threads of the program's block
  std::optional<Factors> grid;            ///< blocks of the program's grid
  std::map<uint32_t, int64_t> arguments;  ///< integers, by parameter number from 0
  std::map<uint32_t, uint32_t> multiples; ///< what divides integers, by parameter number
  uint32_t pointers = 0; ///< bytes to which every pointer argument is aligned; 0: not known
  bool disjoint = false; ///< the pointer arguments point into different allocations
  bool empty() const { return *this == KnownLaunch(); }
  friend bool operator==(const KnownLaunch &, const KnownLaunch &) = default;
};

/// Says how loops form the addresses of their accesses.
enum class Addresses : uint8_t {
  Reduced, ///< by pointers that move, where the compiler considers this cheaper
  Indexed, ///< from the loop's index each time
  Wide,    ///< from an index of 64 bits, or by pointers that move
};

/// Says where the static shared arrays of a launched block are placed.
enum class SharedArrays : uint8_t {
  United, ///< in shared memory, as one piece
  Apart,  ///< in shared memory, as one variable each
  Global, ///< in global memory that the runtime lends to the launch
  Common, ///< in shared memory; joined blocks accumulate in the same arrays
};

/// The steps are listed in the order of their application: the grid is reshaped
/// or blocks are fused; then blocks and then threads of the result are
/// coarsened.
struct Grain {
  Factors block = {1, 1, 1};                   ///< blocks per launched block, one after the other
  Factors thread = {1, 1, 1};                  ///< threads per launched thread
  Factors fuse = {1, 1, 1};                    ///< neighbouring blocks that run side by side as one
  std::optional<Factors> shape = std::nullopt; ///< block size that divides the iteration space
  bool contiguous = false;                     ///< a launched thread runs neighbours, not a stride
  bool remainder = false; ///< blocks that do not fill a launched one get their own launch
  SharedArrays shared = SharedArrays::United;
  bool nontemporal = false; ///< data that no thread of the launch reads is stored past the caches
  Addresses addresses = Addresses::Reduced;
  uint32_t bound = 0; ///< maximum of threads of a launched block, 0: that of any launch
  /// Numbers, by the names of keys. Most are settings of the targets' code generators, and function
  /// attributes of the kernel (attributeOf in grain_keys.h).
  std::map<std::string_view, uint32_t> codegen = {};
  /// The same for settings that are words of the table.
  std::map<std::string_view, std::string_view> words = {};
  /// The kernel of the source that runs in place of the original (nameOfVariant); empty: none.
  std::string variant = {};
  bool control = false; ///< unchanged grain: the original, compiled in the way of all others
  KnownLaunch known = {};

  bool isOriginal() const { return *this == Grain(); }
  /// Returns whether the code is that of a variant as the source has it.
  bool isPlainVariant() const { return !variant.empty() && *this == Grain{.variant = variant}; }
  /// Returns whether a launched block or thread executes other work than the
  /// program's.
  bool regroups() const { return takesGrid() || !isOne(thread); }
  /// Returns the grain of the blocks that do not fill a launched one, if they
  /// get their own launch.
  Grain ofRemainder() const {
    Grain rest = *this;
    rest.block = {1, 1, 1};
    rest.remainder = false;
    if (rest.shared == SharedArrays::Apart || rest.shared == SharedArrays::Common)
      rest.shared = SharedArrays::United;
    return rest;
  }
  /// Returns whether a kernel at this grain has the program's grid size as
  /// parameters.
  bool takesGrid() const { return !isOne(block) || !isOne(fuse) || shape.has_value(); }
  /// Returns whether it also has the program's block size as parameters.
  bool takesBlock() const { return shape.has_value(); }
  /// Returns whether it gets global memory in place of static shared memory.
  bool takesLentMemory() const { return shared == SharedArrays::Global; }
  friend bool operator==(const Grain &, const Grain &) = default;
};

/// A SPEC as written: its totals ("block=8") are not balanced yet over the
/// dimensions that a kernel uses.
struct GrainSpec {
  Grain grain;                         ///< the factors given per dimension
  std::optional<uint32_t> blockTotal;  ///< "block=8"
  std::optional<uint32_t> threadTotal; ///< "thread=4"
  std::optional<uint32_t> fuseTotal;   ///< "fuse=4"

  bool hasTotals() const { return blockTotal || threadTotal || fuseTotal; }
};

inline constexpr std::string_view controlId = "control";
/// The id of alternative 0.
inline constexpr std::string_view originalId = "original";

/// Parses a SPEC: "original", or pieces separated by commas, each of a key of grain_keys.h:
/// "block.x=4,thread.x=4:contiguous,bound=256". The error, also for a contradiction, names the
/// wrong piece.
[[nodiscard]] OrError<GrainSpec> parseGrainSpec(std::string_view text);

/// Returns the canonical form: keys in the order of their table; x before y before z; factors
/// of 1 omitted; a modifier after the last factor of its loop; "original" for the identity.
[[nodiscard]] std::string toString(const Grain &grain);

/// Returns a form that may be part of a symbol:
/// "block_x4_thread_y2_contiguous", with "m" for the minus of a negative
/// argument.
[[nodiscard]] std::string toSymbolSuffix(const Grain &grain);

/// Returns one sentence if the steps of `grain` contradict each other,
/// otherwise an empty text.
[[nodiscard]] std::string findContradiction(const Grain &grain);

/// Distributes totals over the dimensions with `uses[d]`: prime factors,
/// largest first, go to the dimension with the smallest factor so far, x before
/// y before z. Fused blocks are distributed over the dimensions of `blockUses`.
[[nodiscard]] Grain balance(const GrainSpec &spec, std::array<bool, 3> blockUses,
                            std::array<bool, 3> threadUses);

/// Returns the name of a kernel as a value of `variant=`: without its return type, parameter list,
/// the namespaces around it, and blanks after commas. Returns an empty text if such a value could
/// not be read again.
[[nodiscard]] std::string nameOfVariant(std::string_view demangledName);

/// "GLOB:SPEC", split at the last colon that neither introduces a modifier nor is part of a name.
struct GrainRequest {
  std::string glob;
  std::string spec;
};
[[nodiscard]] OrError<GrainRequest> parseGrainRequest(std::string_view text);

/// Matches a whole demangled name against a shell-style pattern (*, ?, [a-z]).
/// A glob without '(' is matched against the name without its parameter list.
[[nodiscard]] bool matchesKernel(std::string_view glob, std::string_view demangledName);

} // namespace regrain
