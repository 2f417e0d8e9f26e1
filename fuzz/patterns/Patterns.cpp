//===- Patterns.cpp - Random programs of known forms ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"

namespace regrain::fuzz::patterns {

/// Most patterns take fewer numbers than this.
static constexpr size_t tapeLength = 192;

const std::vector<PatternKind> &patternKinds() {
  static const std::vector<PatternKind> kinds = {
      {"trees over several warps", 10, writeLevels},
      {"rows are read again", 10, writeRows},
      {"a thread has a row", 12, writeThreadRows},
      {"pointers to all memories meet", 12, writeAddresses},
      {"numbers at their ends", 12, writeNumbers},
      {"a block reads tiles in loops", 10, writeTiles},
      {"blocks read what their neighbours read", 14, writeWindows},
      {"neighbours access distant elements", 10, writeTransposes},
      {"blocks stride through a range", 4, writeStrides},
      {"blocks accumulate in shared memory", 10, writeCounters},
      {"a warp has a row", 10, writeWarpRows},
      {"loops walk along rows", 0, writeWalks, /*share=*/15},
      {"guards exclude the ends of rows", 0, writeEnds, /*share=*/4},
      {"an array of a thread is indexed in part", 0, writeArrays, /*share=*/3},
      {"threads skip parts", 0, writeParts, /*share=*/8},
      {"loops end at limits of other types", 0, writeLimits, /*share=*/5},
      {"variables and parameters are read in place", 0, writeVariables, /*share=*/5},
      {"loops around barriers take tiles in turn", 0, writeStages, /*share=*/8},
      {"a block reads wide rows", 0, writeWideTiles, /*share=*/4},
      {"blocks march through planes", 0, writeRings, /*share=*/3}};
  return kinds;
}

cooperation::Program build(const cooperation::Plan &plan) {
  Writer writer(plan);
  const PatternKind &kind = patternKinds()[plan.acts.front().kind];
  writer.form(kind.name);
  kind.write(writer);
  return writer.take();
}

cooperation::Program generate(uint64_t seed) {
  Random random(seed ^ 0x7061747465726e73);
  unsigned total = 0, kind = 0;
  for (const PatternKind &each : patternKinds())
    total += each.weight;
  for (unsigned number = random.below(total); number >= patternKinds()[kind].weight; ++kind)
    number -= patternKinds()[kind].weight;
  for (unsigned own = 0; own < patternKinds().size(); ++own)
    if (Random(seed ^ 0x7368617265 ^ own).percent(patternKinds()[own].share))
      kind = own;
  return build({.seed = seed,
                .launch = {},
                .acts = {{kind, cooperation::randomTape(random, tapeLength)}},
                .isPattern = true});
}

} // namespace regrain::fuzz::patterns
