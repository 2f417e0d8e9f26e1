//===- Space.cpp - Which grains are worth compiling -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/Space.h"

#include "compiler/Alternatives/AccumulatingBlocks.h"
#include "compiler/Alternatives/KernelFacts.h"
#include "compiler/Alternatives/Model.h"
#include "compiler/Alternatives/RankedGrains.h"
#include "runtime/image/grain_keys.h"
#include "runtime/image/launch_limits.h"
#include "llvm/ADT/STLExtras.h"

using namespace regrain;

namespace {

constexpr uint32_t blockFactors[] = {2, 3, 4, 5, 6, 7, 8, 9, 16};
constexpr uint32_t threadFactors[] = {2, 4, 8};
constexpr uint32_t fusedBlocks[] = {2, 4, 8, 16};
constexpr uint32_t fewFactors[] = {2, 4};
constexpr uint32_t fusedWarps[] = {4, 8};
constexpr unsigned mostOfFusedWarps = 256; ///< threads
constexpr unsigned mostOfFused = 8;        ///< the program's threads in one of fused warps
constexpr unsigned mostBlocks = 16, mostOfTinyBlocks = 64; ///< max product of block factors
constexpr unsigned mostCopies = 32; ///< max of the program's threads in a launched one
constexpr unsigned mostFused = 16;  ///< max blocks
constexpr uint32_t joinedThreads[] = {2, 4, 8, 16};
constexpr Factors readerThreads[] = {{4, 4, 1}, {4, 8, 1}, {2, 4, 1}};
constexpr uint32_t leastWide = 8, mostWide = 32; ///< bytes of neighbours that are worth joining

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

/// Returns the dimension in which most accesses are consecutive; x if there is none.
unsigned laneDimension(const Statistics &statistics) {
  std::array<double, 3> accesses = {};
  for (const auto &[mask, counts] : statistics.consecutive)
    for (unsigned d = 0; d < 3; ++d)
      accesses[d] += counts[d].at(assumedTrips);
  return llvm::max_element(accesses) - accesses.begin();
}

/// Collects the grains of one kernel.
class Enumeration {
public:
  explicit Enumeration(const Statistics &statistics)
      : statistics(statistics), tiers(statistics), grains(tiers) {}

  std::vector<Grain> run() {
    addCoarsened();
    if (statistics.isWidenable && statistics.use.thread[0])
      addContiguous();
    if (const Joinable &own = statistics.ownJoinable; statistics.alignsAccesses && own.isAny())
      addForPointers({.known = own.alignedFor(widestAccess / own.least)});
    addApart(Grain());
    if (!statistics.mostThreads || statistics.mostThreads < smallBlock)
      addFused();
    if (!statistics.cooperates)
      addReshaped();
    addCandidates();
    for (const Grain &grain : accumulatingGrains(statistics, tiers.joinsAccesses()))
      enter(grain);
    addSharedReaders();
    addExchanges();
    addRows();
    for (const Grain &grain : statistics.threadSplits)
      enter(grain);
    for (const Grain &grain : statistics.transposed)
      enter(grain);
    for (const Grain &grain : statistics.strided)
      enter(grain);
    for (const Grain &grain : statistics.stagedLoops)
      enter(grain);
    for (const Grain &grain : statistics.joinedTiles)
      enter(grain);
    for (const Grain &grain : statistics.marched)
      addMarched(grain);
    return std::move(grains).inOrder();
  }

private:
  void add(const Grain &grain) {
    if (!grain.isOriginal())
      enter(grain);
    Grain special = grain;
    special.known.block = statistics.seenBlock;
    if (!grain.known.block && tiers.isBetterForBlock(grain) && findContradiction(special).empty())
      enter(special);
    if (std::optional<Grain> bounded = tiers.boundedForm(grain))
      enter(*bounded);
  }

  void enter(const Grain &grain) { grains.add(grain); }

  /// Adds the candidates of keys that have no loop of their own, those of the last key first.
  void addCandidates() {
    for (const GrainKey &key : llvm::reverse(grainKeys()))
      for (const auto &[piece, fact] : key.candidates) {
        Grain grain;
        // A footprint has a size in blocks of known size only.
        if (fact == KernelFact::SharesFootprint)
          grain.known.block = statistics.seenBlock;
        if (holds(fact, statistics) && addPiece(grain, piece))
          addWithOneFactor(grain);
      }
  }

  void addExchanges() {
    for (Grain grain : statistics.warpExchanges) {
      addWithFusedWarps(grain);
      // Of neighbours in other dimensions than x, no accesses are joined.
      bool joins = grain.contiguous && grain.thread[0] > 1 && tiers.joinsAccesses();
      if (!joins || grain.known.pointers)
        continue;
      KnownLaunch aligned = statistics.joinable.alignedFor(grain.thread[0]);
      aligned.block = grain.known.block;
      aligned.disjoint = statistics.meetsPointers;
      grain.known = aligned;
      addWithFusedWarps(grain);
    }
  }

  /// Adds the grain, also with several of its blocks as one, neighbours in x or in y: as few as are
  /// worth it, or, where threads of one block lie apart, as many as fill a launched block.
  void addWithFusedWarps(Grain grain) {
    enter(grain);
    if (product(grain.fuse) != 1 || product(grain.thread) > mostOfFused)
      return;
    uint32_t most = product(grain.thread) * mostOfFusedWarps / product(*grain.known.block);
    auto blocks = llvm::find_if(
        fusedWarps, [&](uint32_t one) { return grain.contiguous ? one <= most : one == most; });
    for (unsigned d : {0, 1})
      if (statistics.use.block[d] && blocks != std::end(fusedWarps)) {
        grain.fuse = {1, 1, 1};
        grain.fuse[d] = *blocks;
        enter(grain);
      }
  }

  /// Adds rows in registers for the launches seen, and the program's own code for them: what is
  /// kept has a known length, of which loops and reductions gain as well. Neighbours make the
  /// accesses wider and leave each launched thread more registers. Conversions are those of pairs,
  /// which are fewer.
  void addRows() {
    for (const KnownLaunch &launch : statistics.keptRows) {
      Grain grain;
      if (statistics.pairsNumbers)
        grain.words["arithmetic"] = "packed";
      grain.known.block = launch.block;
      grain.known.arguments = launch.arguments;
      enter(grain);
      grain.words["rows"] = "registers";
      grain.known = launch;
      enter(grain);
      for (uint32_t joined : threadFactors) {
        Grain more = grain;
        more.thread[0] = joined;
        if (statistics.use.thread[0])
          enter(more);
        more.contiguous = true;
        if (statistics.alignsAccesses)
          more.known.pointers = std::max(more.known.pointers, widestAccess);
        if (!statistics.use.thread[0])
          continue;
        enter(more);
        if (const Grain *exchange = findExchange(more)) {
          more.words.insert(exchange->words.begin(), exchange->words.end());
          enter(more);
        }
      }
    }
  }

  /// Adds a grain whose blocks run in steps, also with neighbours in a thread, whose accesses are
  /// joined. Guards are joined of neighbours alone, of which there must be some between the ends.
  void addMarched(Grain grain) {
    bool joinsGuards = grain.words.contains("guards");
    if (!joinsGuards)
      enter(grain);
    if (!tiers.joinsAccesses())
      return;
    uint32_t joined = std::max(joinsGuards ? 4u : 2u, widestAccess / statistics.joinable.least);
    grain.thread[0] = joined;
    grain.contiguous = true;
    (*grain.shape)[0] *= joined;
    grain.known = statistics.joinable.alignedFor(joined);
    if (findContradiction(grain).empty())
      enter(grain);
  }

  /// Returns an exchange in registers that is possible for the block and the joined threads of the
  /// grain; null if there is none.
  const Grain *findExchange(const Grain &grain) const {
    auto found = llvm::find_if(statistics.warpExchanges, [&](const Grain &exchange) {
      return exchange.known.block == grain.known.block && exchange.thread == grain.thread &&
             exchange.contiguous == grain.contiguous && exchange.fuse == grain.fuse;
    });
    return found == statistics.warpExchanges.end() ? nullptr : &*found;
  }

  void addCoarsened() {
    unsigned most = tiers.isTiny() ? mostOfTinyBlocks : mostBlocks;
    for (const Factors &block : triples(blockFactors, statistics.use.block, most))
      for (const Factors &thread : triples(threadFactors, statistics.use.thread, 8))
        if (Grain grain = {.block = block, .thread = thread};
            (product(thread) == 1 || product(block) * product(thread) <= mostCopies) &&
            !llvm::is_contained(statistics.joinedTiles, grain))
          add(grain);
    if (statistics.sharedBytes)
      for (const Factors &block : triples(blockFactors, statistics.use.block, mostBlocks))
        if (product(block) != 1)
          add({.block = block, .shared = SharedArrays::Apart});
  }

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
      bool fitsLargest = joined * statistics.joinable.most == widestAccess;
      if (!fitsLargest && (bytes < leastWide || bytes > mostWide))
        continue;
      KnownLaunch aligned = statistics.joinable.alignedFor(joined);
      KnownLaunch divided = statistics.joinable.dividedFor(joined);
      if (!statistics.joinable.divisors.empty() && divided != aligned)
        addNeighbours(joined, divided, {{1, 1, 1}});
      addNeighbours(joined, aligned, triples(fewFactors, statistics.use.block, 4));
    }
  }

  void addNeighbours(uint32_t joined, const KnownLaunch &known, llvm::ArrayRef<Factors> blocks) {
    for (const Factors &block : blocks)
      addForPointers(
          {.block = block, .thread = {joined, 1, 1}, .contiguous = true, .known = known});
    if (statistics.use.block[0] && !statistics.cooperates)
      addWithPairs(
          {.thread = {joined, 1, 1}, .fuse = {joined, 1, 1}, .contiguous = true, .known = known});
  }

  /// Adds the grain for pointers into different allocations, if that changes the kernel.
  void addApart(Grain grain) {
    grain.known.disjoint = true;
    if (holds(KernelFact::MeetsPointers, statistics))
      add(grain);
  }

  /// Adds a grain for aligned pointers. If they are also apart, accesses are joined across stores,
  /// which block factors have nothing to do with.
  void addForPointers(const Grain &grain) {
    addWithPairs(grain);
    if (product(grain.block) == 1)
      addApart(grain);
  }

  void addContiguous() {
    if (tiers.joinsAccesses())
      addAligned();
    for (uint32_t thread : threadFactors)
      for (const Factors &block : triples(fewFactors, statistics.use.block, 4))
        addWithPairs({.block = block, .thread = {thread, 1, 1}, .contiguous = true});
  }

  /// Adds grains at which a thread reads x + y elements of shared memory for x * y results, if it
  /// reads many: neighbours in x at once, and neighbours in y in common.
  void addSharedReaders() {
    if (!readsMuchShared(statistics))
      return;
    for (const Factors &thread : readerThreads) {
      Grain grain = {.thread = thread, .contiguous = true};
      grain.known.block = statistics.seenBlock;
      if (const auto &block = statistics.seenBlock;
          block && product(*block) < warpThreads * product(thread))
        continue;
      if (thread == readerThreads[0] || !tiers.joinsAccesses())
        enter(grain);
      if (!tiers.joinsAccesses())
        continue;
      grain.known = statistics.joinable.alignedFor(thread[0]);
      grain.known.block = statistics.seenBlock;
      enter(grain);
    }
  }

  void addFused() {
    for (const Factors &fuse : triples(fusedBlocks, statistics.use.block, mostFused))
      if (product(fuse) != 1 && statistics.mostThreads * product(fuse) <= maxBlockThreads)
        addWithOneFactor({.fuse = fuse});
  }

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
    if (tiers.isTiny())
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
  Tiers tiers;
  RankedGrains grains;
};

} // namespace

std::vector<Grain> regrain::enumerateGrains(const Statistics &statistics) {
  return Enumeration(statistics).run();
}
