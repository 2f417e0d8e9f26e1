//===- grain_keys.h - The descriptors of the keys of SPEC -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table determines parsing, printing, the canonical order, contradictions,
// proposals, fuzzing and the documentation: a key in the table only needs the code
// that implements it (docs/adding-a-grain-key.md).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/grain.h"

#include <set>
#include <span>
#include <vector>

namespace regrain {

/// The targets on which a key has an effect.
enum class KeyTargets : uint8_t { Cpu = 1, Nvidia = 2, Amd = 4, Gpus = 6, All = 7 };

constexpr bool includes(KeyTargets targets, KeyTargets target) {
  return uint8_t(targets) & uint8_t(target);
}

/// The step of the pipeline at which a key takes effect, in order.
enum class KeyStep : uint8_t {
  Specialise, ///< before all other steps
  Regroup,    ///< the step changes the nest of blocks and threads
  Finish,     ///< the nest has its final form
  Generate,   ///< a target generates code
  Launch,     ///< the runtime launches the code
  None,
};

/// The property that a kernel needs for a piece to be worth proposing. The compiler
/// determines it.
enum class KernelFact : uint8_t {
  HasSharedArrays,
  StreamsStores,
  ChoosesAddresses,
  StreamsLoads,
  ScattersLoads,
  HasShortLoops,      ///< that only a piece unrolls completely
  HasOtherLoops,      ///< that no piece unrolls completely
  HasSearches,        ///< loops that look for an element
  GuardsInLoops,      ///< short guarded code that may run without its guard
  MeetsPointers,      ///< pointer arguments that could alias keep accesses in order
  ExchangesInWarps,   ///< threads of a warp hand values to each other in shared memory
  TransposesAccesses, ///< neighbours in y or z access neighbouring elements, those in x do not
  StagesLoops,        ///< threads of a block read the same elements in a loop
  SharesFootprint,    ///< threads of a block read what others of it read from global memory
  ConflictsInBanks,   ///< threads of a warp access the same bank of shared memory
  DealsIterations,    ///< a thread's own loop runs over neighbouring or distant elements
  PairsArithmetic,    ///< neighbouring operations on 16-bit numbers
  SumsInLoops,        ///< a loop adds up floating-point numbers
  RereadsRows,        ///< a loop reads again what an earlier loop has read or written
};

/// A piece that the compiler proposes.
struct KeyCandidate {
  std::string_view piece;
  KernelFact worthFor;
};

/// Determines which of several contradictions is reported: the first by this order, then
/// by the table's.
enum class RuleOrder : uint8_t { Whole, Steps, Parts, Values, Launch };

/// One condition that every grain must satisfy.
struct GrainRule {
  RuleOrder order;
  std::string (*find)(const Grain &); ///< one sentence if the grain violates it, otherwise empty
};

/// The state of a SPEC while its pieces are read.
struct SpecReader {
  GrainSpec spec;
  std::set<std::string, std::less<>> given = {}; ///< pieces that may be given only once
};

/// The parts of "block.x=4".
struct SpecPiece {
  std::string_view part;  ///< "x"; empty if the key has no '.'
  std::string_view value; ///< "4"
};

/// A loop of the nest whose iterations the key joins.
struct GrainLoop {
  Factors Grain::*factors;
  std::optional<uint32_t> GrainSpec::*total; ///< "block=8"
  bool Grain::*modifier;                     ///< null if there is none
  bool ofThreads;                            ///< totals go to the threads' dimensions
};

struct GrainKey {
  std::string_view name;     ///< the text before '.' and '='
  std::string_view examples; ///< pieces separated by blanks, for the documentation
  std::string_view help;     ///< its effect, in one sentence
  std::string_view absence;  ///< the default
  KeyStep step;
  KeyTargets targets = KeyTargets::All;
  /// One sentence if the other targets refuse the key; empty: they ignore it.
  std::string_view refusedElsewhere = {};
  std::string_view guard = {};  ///< the launches that run the original, for the documentation
  std::string_view fields = {}; ///< fields of the image's Alternative that repeat the id

  bool isBare = false;   ///< it is written without '='
  bool hasParts = false; ///< a '.' may follow the name
  const GrainLoop *loop = nullptr;
  std::string_view modifier = {}; ///< may follow a factor of its loop and a colon
  /// The range of the number, for a key of `Grain::codegen`.
  uint32_t least = 0, most = 0;
  /// The values, for a key of `Grain::words`.
  std::span<const std::string_view> words = {};

  /// Stores the value of a piece. Returns what is wrong with it, to follow the quoted
  /// piece.
  std::string (*read)(SpecReader &reader, const GrainKey &key, const SpecPiece &piece);
  /// Appends the pieces that describe `grain`.
  void (*write)(const Grain &grain, const GrainKey &key, std::vector<std::string> &pieces);
  std::span<const GrainRule> rules = {};

  std::span<const KeyCandidate> candidates = {};
  std::span<const std::string_view> trials = {}; ///< pieces of which the fuzzer draws one
  unsigned trialPercent = 0;                     ///< of the grains that the fuzzer draws

  bool isOfCodegen() const { return most != 0; }

  /// Returns whether targets read the key as a function attribute (attributeOf).
  bool reachesTargets() const { return step == KeyStep::Generate || name == "shared"; }
};

/// Returns the table, in the canonical order.
[[nodiscard]] std::span<const GrainKey> grainKeys();

/// Returns the pieces of a canonical SPEC that belong to one key.
[[nodiscard]] std::vector<std::string> piecesOf(const Grain &grain, const GrainKey &key);

/// Adds one piece of `candidates` or `trials` to `grain`. Returns whether the
/// result is valid.
[[nodiscard]] bool addPiece(Grain &grain, std::string_view piece);

/// Returns the function attribute that carries a key to targets: "regrain-" and the key.
[[nodiscard]] std::string attributeOf(const GrainKey &key);

/// Returns one sentence if `target`, a single one, refuses the grain, otherwise an
/// empty text.
[[nodiscard]] std::string whyRefusedBy(KeyTargets target, const Grain &grain);

/// Returns the table as Markdown, for docs/grains.md.
[[nodiscard]] std::string describeGrainKeys();

} // namespace regrain
