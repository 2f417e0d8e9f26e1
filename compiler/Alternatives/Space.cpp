//===- Space.cpp - Which grains are worth compiling -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/Space.h"

#include "compiler/Alternatives/Model.h"
#include "runtime/image/grain_keys.h"
#include "runtime/image/launch_limits.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>
#include <tuple>

using namespace regrain;

namespace {

constexpr uint32_t blockFactors[] = {2, 3, 4, 5, 6, 7, 8, 9, 16};
constexpr uint32_t threadFactors[] = {2, 4, 8};
constexpr uint32_t fusedBlocks[] = {2, 4, 8, 16};
constexpr uint32_t fewFactors[] = {2, 4};
constexpr unsigned mostBlocks = 16, mostOfTinyBlocks = 64; ///< max product of block factors
constexpr unsigned mostCopies = 32;  ///< max of the program's threads in a launched one
constexpr unsigned mostFused = 16;   ///< max blocks
constexpr unsigned usualBlock = 256; ///< threads
constexpr uint32_t joinedThreads[] = {2, 4, 8, 16};
constexpr uint32_t leastWide = 8, mostWide = 32; ///< bytes of neighbours that are worth joining

/// What is added to a tier; the header says when.
constexpr int ofCombining = 3, ofOtherShape = 3, ofSlowness = 6, ofImpossibility = 1000;
constexpr int ofEightThreads = 3, ofLessSharing = 1, ofStride = 4, ofSameShape = 12, ofLikeness = 1;
constexpr int ofAnyBlock = 3, ofSharedApart = 8, ofFusingLargeBlocks = 6, ofTwiceTheSpeed = -3;
constexpr int ofAddresses = 1, ofControlFlow = 2, ofNeighbours = -1, ofLittleRoom = 3;
constexpr int ofUnaligned = 1, ofPairs = 1;
constexpr double littleRoom = 1.25; ///< the gain in resident blocks that is small

unsigned product(const Factors &factors) { return factors[0] * factors[1] * factors[2]; }

/// Returns all factor triples over the dimensions that are read whose product is at most `most`.
std::vector<Factors> triples(llvm::ArrayRef<uint32_t> factors, const std::array<bool, 3> &read,
                             unsigned most) {
  std::vector<Factors> result = {{1, 1, 1}};
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    if (!read[dimension])
      continue;
    size_t known = result.size();
    for (size_t i = 0; i < known; ++i)
      for (uint32_t factor : factors) {
        Factors next = result[i];
        next[dimension] = factor;
        if (product(next) <= most)
          result.push_back(next);
      }
  }
  return result;
}

/// Returns what a factor adds to the tier; see the header.
int rungOf(uint32_t factor) {
  switch (factor) {
  case 1:
  case 2:
    return 0;
  case 4:
    return 2;
  case 3:
  case 8:
    return 3;
  case 6:
  case 7:
  case 9:
    return 4;
  default:
    return 6;
  }
}

/// Returns what the bytes of neighbours add to the tier that become one access or two.
int rungOfWidth(uint32_t bytes) { return bytes == widestAccess ? 0 : bytes < widestAccess ? 1 : 2; }

/// Returns, per dimension, the share of the accesses (including shared memory) that blocks
/// differing only in that dimension have in common; 0 for a dimension that is not read.
std::array<double, 3> sharedAcross(const Statistics &statistics) {
  std::array<double, 3> common = {};
  double all = 0;
  for (const auto &[mask, counts] : statistics.work) {
    double accesses = 0;
    for (Work kind : {Work::Global, Work::Shared})
      accesses += counts[unsigned(kind)].at(assumedTrips);
    all += accesses;
    for (unsigned d = 0; d < 3; ++d)
      if (statistics.use.block[d] && !(mask & (uint8_t(Dependence::BlockX) << d)))
        common[d] += accesses;
  }
  for (double &part : common)
    part = all ? part / all : 0;
  return common;
}

/// Returns the dimension in which most accesses are consecutive; x if there is none.
unsigned laneDimension(const Statistics &statistics) {
  std::array<double, 3> accesses = {};
  for (const auto &[mask, counts] : statistics.consecutive)
    for (unsigned d = 0; d < 3; ++d)
      accesses[d] += counts[d].at(assumedTrips);
  return llvm::max_element(accesses) - accesses.begin();
}

/// Returns which of the keys with candidates the grain uses.
std::vector<bool> candidatesIn(const Grain &grain) {
  std::vector<bool> result;
  for (const GrainKey &key : grainKeys())
    if (!key.candidates.empty())
      result.push_back(llvm::any_of(piecesOf(grain, key), [&](const std::string &piece) {
        return llvm::any_of(key.candidates, [&](const KeyCandidate &candidate) {
          return candidate.piece == piece;
        });
      }));
  return result;
}

/// Collects the grains of one kernel.
class Enumeration {
public:
  explicit Enumeration(const Statistics &statistics)
      : statistics(statistics), original(predictCycles(statistics, Grain())),
        common(sharedAcross(statistics)) {
    if (statistics.seenBlock)
      seenThreads = product(*statistics.seenBlock);
  }

  std::vector<Grain> run() {
    addCoarsened();
    if (statistics.isWidenable && statistics.use.thread[0])
      addContiguous();
    if (const Joinable &own = statistics.ownJoinable; statistics.alignsAccesses && own.isAny())
      add({.known = own.alignedFor(widestAccess / own.least)});
    if (!statistics.mostThreads || statistics.mostThreads < smallBlock)
      addFused();
    if (!statistics.cooperates)
      addReshaped();
    addCandidates();
    llvm::sort(entries);
    spread();
    llvm::sort(entries);
    std::vector<Grain> grains;
    for (const Entry &entry : entries)
      grains.push_back(entry.grain);
    return grains;
  }

private:
  /// A grain with its place in the enumeration, which decides between equals.
  struct Entry {
    Grain grain;
    int tier;
    double cycles;
    size_t order;

    bool operator<(const Entry &other) const {
      return std::tie(tier, cycles, order) < std::tie(other.tier, other.cycles, other.order);
    }
  };

  void add(const Grain &grain) {
    if (!grain.isOriginal())
      enter(grain);
    Grain special = grain;
    special.known.block = statistics.seenBlock;
    if (isBetterForBlock(grain) && findContradiction(special).empty())
      enter(special);
    if (std::optional<Grain> bounded = boundedForm(grain))
      enter(*bounded);
  }

  void enter(const Grain &grain) {
    double cycles = predictCycles(statistics, grain);
    int tier = tierOf(grain) + tierOfPrediction(cycles) + tierOfLikeness(grain);
    entries.push_back({grain, tier, cycles, entries.size()});
  }

  /// Returns whether the form for the seen block is better; fused or reshaped blocks are no longer
  /// those seen.
  bool isBetterForBlock(const Grain &grain) const {
    return statistics.gainsByBlock && !grain.shape && product(grain.fuse) == 1;
  }

  /// Returns the grain for blocks that leave a thread more registers, if it may need them.
  std::optional<Grain> boundedForm(Grain grain) const {
    if (!statistics.bound || grain.shape || grain.bound || grain.known.block)
      return std::nullopt;
    // Arrays become registers if loops over them are unrolled.
    double ofArrays = double(statistics.arrayBytes) / sizeof(uint32_t) * product(grain.block) *
                      product(grain.thread);
    if (guessRegisters(statistics, grain) + ofArrays <= manyRegisters)
      return std::nullopt;
    grain.bound = std::max(1u, statistics.bound * product(grain.fuse) / product(grain.thread));
    return findContradiction(grain).empty() ? std::optional(grain) : std::nullopt;
  }

  int tierOf(const Grain &grain) const {
    int tier = 0, steps = 0;
    for (const Factors &factors : {grain.block, grain.thread, grain.fuse})
      for (uint32_t factor : factors) {
        tier += rungOf(factor);
        steps += factor != 1;
      }
    tier += ofEightThreads * llvm::count(grain.thread, 8u);
    if (uint32_t joined = grain.thread[0]; grain.contiguous && grain.known.pointers)
      tier += rungOfWidth(joined * statistics.joinable.least) - rungOf(joined) -
              (joined == 8 ? ofEightThreads : 0);
    if (grain.shape) {
      tier += product(*grain.shape) == usualBlock ? 0 : ofOtherShape;
      ++steps;
    }
    if (grain.contiguous && grain.words.contains("arithmetic")) {
      tier += ofPairs;
    } else if (llvm::is_contained(candidatesIn(grain), true)) {
      tier += grain.words.empty() ? ofAddresses : ofControlFlow;
      ++steps;
    }
    if (grain.takesLentMemory() && gainWithoutShared(statistics, grain) < littleRoom)
      tier += ofLittleRoom;
    for (unsigned d = 0; d < 3; ++d)
      if (grain.block[d] != 1 && common[d] + 0.1 < *llvm::max_element(common))
        tier += ofLessSharing;
    for (unsigned d = 0; grain.shape && d < 3; ++d)
      if (grain.block[d] != 1 && (*grain.shape)[d] == 1)
        tier += ofNeighbours;
    return tier + (steps - 1) * ofCombining;
  }

  int tierOfPrediction(double cycles) const {
    if (std::isinf(cycles))
      return ofImpossibility;
    if (cycles >= 1.25 * original)
      return ofSlowness;
    return isTiny() && cycles < original ? int(std::log2(original / cycles) * ofTwiceTheSpeed) : 0;
  }

  /// Returns the addition for a grain that is nearly the same as another grain, or as the original.
  int tierOfLikeness(const Grain &grain) const {
    int tier = 0;
    if (statistics.isWidenable && grain.thread[0] != 1 &&
        product(grain.thread) == grain.thread[0] &&
        grain == Grain{.block = grain.block,
                       .thread = grain.thread,
                       .bound = grain.bound,
                       .known = grain.known})
      tier += ofStride;
    if (boundedForm(grain))
      tier += ofAnyBlock;
    if (isBetterForBlock(grain) && !grain.known.block)
      tier += ofAnyBlock;
    if (grain.contiguous && !grain.known.pointers && joinsAccesses())
      tier += ofUnaligned;
    if (grain.shared == SharedArrays::Apart)
      tier += ofSharedApart;
    if (grain.shape && grain.shape == statistics.seenBlock)
      tier += ofSameShape;
    if (product(grain.fuse) != 1 && seenThreads >= smallBlock)
      tier += ofFusingLargeBlocks;
    return tier;
  }

  /// Moves grains that take the same steps apart, except the best prediction. Grains of factors
  /// alone keep their order if the prediction says little.
  void spread() {
    constexpr Factors one = {1, 1, 1};
    std::map<std::vector<bool>, int> known;
    for (Entry &entry : entries) {
      const Grain &grain = entry.grain;
      std::vector<bool> steps = candidatesIn(grain);
      bool isOfMore = llvm::is_contained(steps, true) || grain.shape || grain.fuse != one;
      steps.insert(steps.end(), {grain.shape.has_value(), grain.fuse != one, grain.block != one,
                                 grain.thread != one});
      if (isTiny() || isOfMore)
        entry.tier += ofLikeness * known[steps]++;
    }
  }

  /// Returns whether the pieces that are proposed for a kernel with `fact` are worth it.
  bool holds(KernelFact fact) const {
    switch (fact) {
    case KernelFact::HasSharedArrays:
      return gainWithoutShared(statistics, Grain()) > 1;
    case KernelFact::StreamsStores:
      return statistics.streamsStores;
    case KernelFact::ChoosesAddresses:
      return statistics.choosesAddresses;
    case KernelFact::StreamsLoads:
      return statistics.streamsLoads;
    case KernelFact::ScattersLoads:
      return statistics.scattersLoads;
    case KernelFact::HasShortLoops:
      return statistics.choosesControlFlow && statistics.loops.hasShort;
    case KernelFact::HasOtherLoops:
      return statistics.choosesControlFlow && statistics.loops.hasOther;
    case KernelFact::GuardsInLoops:
      return statistics.choosesControlFlow && statistics.loops.hasGuards;
    case KernelFact::MeetsPointers:
    case KernelFact::ExchangesInWarps:
    case KernelFact::SharesFootprint:
    case KernelFact::ConflictsInBanks:
    case KernelFact::DealsIterations:
      return false;
    case KernelFact::PairsArithmetic:
      // Without loops, only neighbours (addContiguous) make pairs.
      return statistics.pairsNumbers &&
             (!statistics.isWidenable || statistics.loops.hasShort || statistics.loops.hasOther);
    case KernelFact::SumsInLoops:
      return statistics.sumsInLoops;
    }
    return false;
  }

  /// Adds the candidates of keys that have no loop of their own, those of the last key first.
  void addCandidates() {
    for (const GrainKey &key : llvm::reverse(grainKeys()))
      for (const auto &[piece, fact] : key.candidates)
        if (Grain grain; holds(fact) && addPiece(grain, piece))
          addWithOneFactor(grain);
  }

  void addCoarsened() {
    unsigned most = isTiny() ? mostOfTinyBlocks : mostBlocks;
    for (const Factors &block : triples(blockFactors, statistics.use.block, most))
      for (const Factors &thread : triples(threadFactors, statistics.use.thread, 8))
        if (product(thread) == 1 || product(block) * product(thread) <= mostCopies)
          add({.block = block, .thread = thread});
    if (statistics.sharedBytes)
      for (const Factors &block : triples(blockFactors, statistics.use.block, mostBlocks))
        if (product(block) != 1)
          add({.block = block, .shared = SharedArrays::Apart});
  }

  /// Returns whether accesses become wider if the pointers are known to be aligned.
  bool joinsAccesses() const { return statistics.alignsAccesses && statistics.joinable.isAny(); }

  /// Adds the grain, also with arithmetic on pairs, if the kernel has any.
  void addWithPairs(Grain grain) {
    add(grain);
    if (statistics.pairsNumbers && product(grain.block) == 1 &&
        addPiece(grain, "arithmetic=packed"))
      add(grain);
  }

  void addAligned() {
    for (uint32_t joined : joinedThreads) {
      uint32_t bytes = joined * statistics.joinable.least;
      if (bytes < leastWide || bytes > mostWide)
        continue;
      for (const Factors &block : triples(fewFactors, statistics.use.block, 4))
        addWithPairs({.block = block,
                      .thread = {joined, 1, 1},
                      .contiguous = true,
                      .known = statistics.joinable.alignedFor(joined)});
    }
  }

  void addContiguous() {
    if (joinsAccesses())
      addAligned();
    for (uint32_t thread : threadFactors)
      for (const Factors &block : triples(fewFactors, statistics.use.block, 4))
        addWithPairs({.block = block, .thread = {thread, 1, 1}, .contiguous = true});
  }

  void addFused() {
    for (const Factors &fuse : triples(fusedBlocks, statistics.use.block, mostFused))
      if (product(fuse) != 1 && statistics.mostThreads * product(fuse) <= maxBlockThreads)
        addWithOneFactor({.fuse = fuse});
  }

  bool isTiny() const { return seenThreads && seenThreads < tinyBlock; }

  void addReshaped() {
    addReshaped(0);
    if (unsigned lanes = laneDimension(statistics))
      addReshaped(lanes);
  }

  /// Adds shapes of 64 to 512 threads over the dimensions that are read, with at least 32 along
  /// `lanes`.
  void addReshaped(unsigned lanes) {
    auto isRead = [&](unsigned d) { return statistics.use.block[d] || statistics.use.thread[d]; };
    if (!isRead(lanes))
      return;
    std::array<uint32_t, 3> most = {8, 8, 2};
    for (unsigned d = 0; d < 3; ++d)
      most[d] = d == lanes ? 512 : isRead(d) ? most[d] : 1;
    for (uint32_t x = lanes == 0 ? 32 : 1; x <= most[0]; x *= 2)
      for (uint32_t y = lanes == 1 ? 32 : 1; y <= most[1]; y *= 2)
        for (uint32_t z = lanes == 2 ? 32 : 1; z <= most[2]; z *= 2)
          if (x * y * z >= 64 && x * y * z <= 512)
            addWithOneFactor({.shape = Factors{x, y, z}});
  }

  /// Adds `grain`, also with a block or thread factor of 2 or 4 in one dimension.
  void addWithOneFactor(const Grain &grain) {
    add(grain);
    for (unsigned d = 0; d < 3; ++d)
      for (uint32_t factor : fewFactors) {
        Grain more = grain;
        more.block[d] = factor;
        if (statistics.use.block[d])
          add(more);
        more.block[d] = 1;
        more.thread[d] = factor;
        if (statistics.use.thread[d] && findContradiction(more).empty())
          add(more);
      }
    if (isTiny())
      addWithTwoFactors(grain);
  }

  void addWithTwoFactors(Grain grain) {
    for (const Factors &block : triples(fewFactors, statistics.use.block, mostBlocks)) {
      grain.block = block;
      if (llvm::count(block, 1u) == 1)
        add(grain);
    }
  }

  const Statistics &statistics;
  double original; ///< cycles
  std::array<double, 3> common;
  unsigned seenThreads = 0; ///< of the seen block; 0 if none is seen
  std::vector<Entry> entries;
};

} // namespace

std::vector<Grain> regrain::enumerateGrains(const Statistics &statistics) {
  return Enumeration(statistics).run();
}
