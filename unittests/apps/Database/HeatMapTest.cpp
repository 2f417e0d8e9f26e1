//===- HeatMapTest.cpp - Gains by block and thread factors ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Database/HeatMap.h"
#include "apps/Database/Facts.h"
#include "unittests/runtime/tuning/DatabaseParts.h"

#include <sstream>

using namespace regrain;
using namespace regrain::database;

namespace {

Measurement measured(const std::string &alternative, double gain, const std::string &outcome) {
  Measurement measurement;
  measurement.kernel = kernelWith("abc");
  measurement.kernelName = "scale(float*)";
  measurement.launchClass = "block=256x1x1";
  measurement.alternative = alternative;
  measurement.gain = {gain, gain, gain};
  measurement.pairs = gain > 0 ? 5 : 0;
  measurement.outcome = outcome;
  return measurement;
}

std::string mapOf(const std::vector<Measurement> &measurements) {
  KernelEntries kernel;
  kernel.measurements = measurements;
  std::ostringstream out;
  writeHeatMaps(kernel, out);
  return out.str();
}

TEST(HeatMap, ShowsGainsByFactorsAndWhyThereAreNone) {
  EXPECT_EQ(mapOf({measured("original", 0, "not tuned: never"), measured("block.x=2", 0.9, "timed"),
                   measured("block.x=2", 1.05, "confirmed"), measured("block.x=2", 0, "reviewed"),
                   measured("thread.x=4:contiguous", 1.5, "timed"),
                   measured("thread.x=4:contiguous,unroll=2", 1.75, "timed"),
                   measured("block.x=2,thread.x=2", 0, "excluded: differs"),
                   measured("block.x=4,thread.x=2", 0, "not tried: time"),
                   measured("block.x=4", 0, "dropped: form"),
                   measured("of.another=version", 1, "timed")}),
            "  gains for block=256x1x1\n"
            "    block \\ thread     1   x2    x4c\n"
            "    1                           1.75*\n"
            "    x2              1.05    x\n"
            "    x4                 /    -\n"
            "    * the best: thread.x=4:contiguous,unroll=2\n"
            "    1: no factor, c: neighbours (contiguous), x: excluded, /: does not fit,\n"
            "    -: not tried for lack of time, blank: no such grain, or it was refused\n");
  EXPECT_EQ(mapOf({}), "");
}

TEST(HeatMap, AnExclusionIsNoGainAnyMore) {
  std::string text =
      mapOf({measured("block.x=2", 2, "timed"), measured("block.x=2", 0, "excluded: late")});
  EXPECT_NE(text.find(" x\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("the best"), std::string::npos) << text;
}

TEST(HeatMap, FitsTheLine) {
  std::vector<Measurement> all;
  for (const char *thread :
       {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14"})
    all.push_back(measured(std::string("block.x=2,thread.x=2,thread.y=") + thread, 1.25, "timed"));
  all.push_back(measured("shape=64x4x1,fuse.x=2", 12.5, "timed"));
  std::istringstream lines(mapOf(all));
  size_t headings = 0;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80u) << line;
    headings += line.find("block \\ thread") != std::string::npos;
  }
  EXPECT_EQ(headings, 2u);
}

class FactsTest : public DatabaseTest {};

TEST_F(FactsTest, SayWhatWasTriedAndChosen) {
  std::unique_ptr<Database> database = openToWrite();
  TunedKernel kernel = kernelWith("abc");
  Choice choice = choiceOf(kernel, "block=256x1x1", "block.x=4");
  ASSERT_EQ(errorOf(database->put(choice)), "");
  Measurement first = measured("block.x=4", 1.1, "timed"),
              second = measured("block.x=4", 1.2, "confirmed"),
              wholeRun = measured("block.x=4", 0, "reviewed");
  for (Measurement each : {first, second, wholeRun}) {
    each.kernelName = choice.kernelName;
    ASSERT_EQ(errorOf(database->add(each)), "");
  }
  ASSERT_EQ(
      errorOf(database->put(Exclusion{kernel, choice.kernelName, "block.x=8", "it hangs", ""})),
      "");
  report::TuningFacts facts = valueOf(factsOf(*database, choice.kernelName, "block.x=4"));
  std::string on = kernel.device + " for block=256x1x1";
  EXPECT_EQ(facts.tried, std::vector<std::string>(
                             {"1.20 (1.20 to 1.20) of the original's speed, confirmed on " + on}));
  EXPECT_EQ(facts.chosen, std::vector<std::string>({"yes, on " + on + ": " + choice.verdict}));
  facts = valueOf(factsOf(*database, choice.kernelName, "block.x=8"));
  EXPECT_EQ(facts.tried, std::vector<std::string>({"excluded on " + kernel.device + ": it hangs"}));
  EXPECT_EQ(facts.chosen,
            std::vector<std::string>({"no, block.x=4 is chosen on " + on + ": " + choice.verdict}));
  EXPECT_TRUE(valueOf(factsOf(*database, "another", "block.x=8")).tried.empty());
}

} // namespace
