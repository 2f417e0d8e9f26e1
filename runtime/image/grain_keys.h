//===- grain_keys.h - What a SPEC can say, one descriptor each --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading, printing, the canonical order, contradictions, what is proposed, what
// is fuzzed and the documentation follow from the table: a key that is in it needs
// nothing else but the code that does what it asks (docs/adding-a-grain-key.md).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/grain.h"

#include <set>
#include <span>
#include <vector>

namespace regrain {

/// The targets that do something else where a key is given.
enum class KeyTargets : uint8_t { Cpu = 1, Nvidia = 2, Amd = 4, Gpus = 6, All = 7 };

constexpr bool includes(KeyTargets targets, KeyTargets target) {
  return uint8_t(targets) & uint8_t(target);
}

/// Where in the pipeline a key takes effect, in order.
enum class KeyStep : uint8_t {
  Specialise, ///< before all others
  Regroup,    ///< the nest of blocks and threads changes
  Finish,     ///< the nest is what it will be
  Generate,   ///< a target makes code
  None,
};

/// What must hold of a kernel for a key to be worth proposing. What it takes to know is
/// the compiler's.
enum class KernelFact : uint8_t { None, HasSharedArrays, StreamsStores, ChoosesAddresses };

/// Which of several contradictions is named: the first by this order, then by the table's.
enum class RuleOrder : uint8_t { Whole, Steps, Parts, Values, Launch };

/// One reason why a grain cannot be.
struct GrainRule {
  RuleOrder order;
  std::string (*find)(const Grain &); ///< one sentence where the grain breaks it, else empty
};

/// A SPEC while its pieces are read.
struct SpecReader {
  GrainSpec spec;
  std::set<std::string, std::less<>> given = {}; ///< pieces that are to be given once
};

/// "block.x=4" taken apart.
struct SpecPiece {
  std::string_view part;  ///< "x"; empty where the key has no '.'
  std::string_view value; ///< "4"
};

/// A loop of the nest whose iterations the key joins.
struct GrainLoop {
  Factors Grain::*factors;
  std::optional<uint32_t> GrainSpec::*total; ///< "block=8"
  bool Grain::*modifier;                     ///< null: it has none
  bool ofThreads;                            ///< totals are spread over the threads' dimensions
};

struct GrainKey {
  std::string_view name;     ///< what stands before '.' and '='
  std::string_view examples; ///< pieces with blanks between, for the documentation
  std::string_view help;     ///< what it does, one sentence
  std::string_view absence;  ///< what holds where it is not given
  KeyStep step;
  KeyTargets targets = KeyTargets::All;
  /// One sentence where targets that are not among those refuse the key; empty: they make
  /// the code that they make without it.
  std::string_view refusedElsewhere = {};
  std::string_view guard = {};  ///< which launches run the original, for the documentation
  std::string_view fields = {}; ///< of the image's Alternative, which repeat what the id says

  bool isBare = false;   ///< it stands without '='
  bool hasParts = false; ///< a '.' may stand behind the name
  const GrainLoop *loop = nullptr;
  std::string_view modifier = {}; ///< may stand behind a factor of its loop and a colon
  /// The numbers that may be given, where the key is of `Grain::codegen`.
  uint32_t least = 0, most = 0;

  /// Stores what a piece says. Returns what is wrong with it, to follow the quoted piece.
  std::string (*read)(SpecReader &reader, const GrainKey &key, const SpecPiece &piece);
  /// Appends the pieces that say what `grain` does.
  void (*write)(const Grain &grain, const GrainKey &key, std::vector<std::string> &pieces);
  std::span<const GrainRule> rules = {};

  KernelFact worthFor = KernelFact::None;            ///< None: of any kernel, and none is proposed
  std::span<const std::string_view> candidates = {}; ///< pieces that are proposed
  std::span<const std::string_view> trials = {};     ///< pieces that the fuzzer draws one of
  unsigned trialPercent = 0;                         ///< of the grains that it draws

  bool isOfCodegen() const { return most != 0; }

  /// Returns whether targets read the key as a function attribute (attributeOf).
  bool reachesTargets() const { return step == KeyStep::Generate || name == "shared"; }
};

/// The table, in the canonical order.
[[nodiscard]] std::span<const GrainKey> grainKeys();

/// The pieces of a canonical SPEC that are of one key.
[[nodiscard]] std::vector<std::string> piecesOf(const Grain &grain, const GrainKey &key);

/// Adds what one piece says to `grain`, for pieces of `candidates` and `trials`.
/// Returns whether it can be said.
[[nodiscard]] bool addPiece(Grain &grain, std::string_view piece);

/// The function attribute that carries a key to targets: "regrain-" and the key.
[[nodiscard]] std::string attributeOf(const GrainKey &key);

/// One sentence where `target`, a single one, has no code for the grain, else empty.
[[nodiscard]] std::string whyRefusedBy(KeyTargets target, const Grain &grain);

/// The table as Markdown, for docs/grains.md.
[[nodiscard]] std::string describeGrainKeys();

} // namespace regrain
