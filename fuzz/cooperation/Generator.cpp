//===- Generator.cpp - Random programs whose threads cooperate ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/cooperation/Generator.h"

#include "fuzz/cooperation/Acts.h"
#include "fuzz/patterns/Patterns.h"
#include "llvm/ADT/STLExtras.h"

namespace regrain::fuzz::cooperation {

/// A launch or an act takes fewer numbers than this.
static constexpr size_t tapeLength = 64;

const std::vector<ActKind> &actKinds() {
  static const std::vector<ActKind> kinds = {{"values cross a barrier", 8, exchangeThroughMemory},
                                             {"one thread tells all", 14, announce},
                                             {"one thread tells its column", 10, shareColumns},
                                             {"memory is shifted in place", 8, shiftInPlace},
                                             {"a lock", 26, protect},
                                             {"a semaphore", 14, countPermits},
                                             {"a tally", 7, tally},
                                             {"a queue", 6, drainQueue},
                                             {"an election", 7, electLast},
                                             {"a retry", 5, retry},
                                             {"lanes draw together", 6, drawTogether},
                                             {"a thread waits for another", 18, waitForThread},
                                             {"looks by adding", 12, lookByAdding},
                                             {"turns within a block", 6, takeTurns},
                                             {"tokens from thread to thread", 5, passTokens},
                                             {"a chain of blocks", 8, chainBlocks},
                                             {"loops at the ends of integers", 8, countToTheEnd},
                                             {"words are mixed in place", 0, mixInPlace},
                                             {"lanes of a warp meet in rounds", 0, meetInRounds},
                                             {"lanes of a warp meet elsewhere", 0, meetElsewhere},
                                             {leavingAct, 0, leave}};
  return kinds;
}

static unsigned drawKind(Random &random) {
  unsigned total = 0;
  for (const ActKind &kind : actKinds())
    total += kind.weight;
  unsigned number = random.below(total);
  for (unsigned kind = 0;; ++kind) {
    if (number < actKinds()[kind].weight)
      return kind;
    number -= actKinds()[kind].weight;
  }
}

/// Returns an act of weight zero: the last one leaves, and those before it are drawn
/// separately.
static unsigned drawRareKind(Random &random) {
  auto isRare = [](const ActKind &kind) { return kind.weight == 0; };
  uint32_t leaving = actKinds().size() - 1, rare = llvm::count_if(actKinds(), isRare) - 1;
  return leaving - 1 - random.below(rare);
}

Program generate(uint64_t seed) {
  Random random(seed ^ 0x636f6f706572);
  Plan plan;
  plan.seed = seed;
  plan.launch = randomTape(random, tapeLength);
  // A wait excludes a kernel from most grains, so most kernels have few acts.
  uint32_t roll = random.below(100);
  for (uint32_t acts = roll < 75 ? 1 : roll < 95 ? 2 : 3; acts > 0; --acts)
    plan.acts.push_back({drawKind(random), randomTape(random, tapeLength)});
  if (random.percent(8))
    plan.acts.back() = {unsigned(actKinds().size() - 1), randomTape(random, tapeLength)};
  else if (random.percent(18))
    plan.acts.back() = {drawRareKind(random), randomTape(random, tapeLength)};
  return build(plan);
}

std::vector<Program> smallerForms(const Program &program) {
  std::vector<Program> forms;
  const Plan &plan = program.plan;
  auto propose = [&](auto change) {
    Plan smaller = plan;
    change(smaller);
    Program form = smaller.isPattern ? patterns::build(smaller) : build(smaller);
    if (print(form, "kernel") != print(program, "kernel") || form.shape.grid != program.shape.grid)
      forms.push_back(std::move(form));
  };
  if (plan.acts.size() > 1)
    for (size_t i = 0; i < plan.acts.size(); ++i)
      propose([&](Plan &smaller) { smaller.acts.erase(smaller.acts.begin() + i); });
  auto simplify = [&](auto tapeOf) {
    size_t length = tapeOf(plan).size();
    for (size_t size = length; size > 0; size /= 2)
      for (size_t at = 0; at < length; at += size)
        propose([&](Plan &smaller) {
          Tape &tape = tapeOf(smaller);
          for (size_t i = at; i < at + size && i < tape.size(); ++i)
            tape[i] = size == 1 && tape[i] > 1u << 16 ? tape[i] / 2 : 0;
        });
  };
  simplify([](auto &&smaller) -> auto & { return smaller.launch; });
  for (size_t i = 0; i < plan.acts.size(); ++i)
    simplify([i](auto &&smaller) -> auto & { return smaller.acts[i].tape; });
  return forms;
}

} // namespace regrain::fuzz::cooperation
