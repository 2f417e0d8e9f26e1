//===- Database/EntriesTest.cpp - Transfer between databases --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Database/Check.h"
#include "apps/Database/Database.h"
#include "unittests/runtime/tuning/DatabaseParts.h"

#include <nlohmann/json.hpp>

using namespace regrain;
using namespace regrain::database;

namespace {

const TunedKernel kernel = kernelWith("abc");
const std::string name = "void scale<float>(float *, int)";

class EntriesTest : public DatabaseTest {
protected:
  EntriesTest() { database = openToWrite(); }

  Choice put(const std::string &launchClass, uint32_t launches, const std::string &when = "2026",
             bool imported = false, const std::string &alternative = "block.x=4") {
    Choice choice = make(launchClass, launches, when, imported, alternative);
    EXPECT_EQ(errorOf(database->put(choice)), "");
    return choice;
  }
  static Choice make(const std::string &launchClass, uint32_t launches,
                     const std::string &when = "2026", bool imported = false,
                     const std::string &alternative = "block.x=4") {
    Choice choice = choiceOf(kernel, launchClass, alternative);
    choice.launches = launches;
    choice.when = when;
    choice.imported = imported;
    return choice;
  }

  std::unique_ptr<Database> database;
};

TEST_F(EntriesTest, Merge_TakesTheBetterFounded) {
  Choice more = put("a-more", 5), newer = put("b-newer", 3, "2026-02"),
         same = put("c-same", 3, "2026-02"), own = put("d-imported", 1);
  put("e-fewer", 2), put("f-older", 3, "2026-01"), put("g-own", 9, "2026-09", true);
  std::vector<Choice> better = {make("e-fewer", 3), make("f-older", 3, "2026-02"),
                                make("g-own", 1, "2026-01"), make("h-new", 1)};
  Entries entries = {better, {}};
  for (const Choice &worse :
       {make("a-more", 4, "2027"), make("b-newer", 3, "2026-01"),
        make("c-same", 3, "2026-02", false, "thread.x=2"), make("d-imported", 9, "2027", true)})
    entries.choices.push_back(worse);
  Taken taken = valueOf(database::merge(*database, entries));
  std::vector<Choice> expected = {more, newer, same, own};
  expected.insert(expected.end(), better.begin(), better.end());
  EXPECT_EQ(choicesIn(*database), expected);
  EXPECT_EQ(taken.choices, 4u);
  EXPECT_EQ(taken.kept, 4u);
}

TEST_F(EntriesTest, Merge_TakesExclusionsAlways) {
  put("a", 9);
  put("b", 9, "2026", false, "thread.x=2");
  ASSERT_EQ(errorOf(database->put(exclusionOf(kernel, "block.x=8"))), "");
  Entries entries = {{make("c", 9, "2026", false, "block.x=8"), make("d", 9)},
                     {exclusionOf(kernel, "block.x=4"), exclusionOf(kernel, "block.x=8")}};
  Taken taken = valueOf(database::merge(*database, entries));
  EXPECT_EQ(choicesIn(*database), std::vector{make("b", 9, "2026", false, "thread.x=2")});
  EXPECT_EQ(exclusionsIn(*database).size(), 2u);
  EXPECT_EQ(taken.exclusions, 1u);
  EXPECT_EQ(taken.kept, 1u);
  EXPECT_EQ(taken.choices, 0u);
  EXPECT_EQ(taken.excluded, 2u);
}

TEST_F(EntriesTest, Merge_IsAllOrNothing) {
  Entries entries = {{make("a", 1), make("b", 1)}, {exclusionOf(kernel, "block.x=8")}};
  entries.choices[1].gain.ratio = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(errorOf(database::merge(*database, entries)), "");
  EXPECT_TRUE(choicesIn(*database).empty());
  EXPECT_TRUE(exclusionsIn(*database).empty());
}

TEST_F(EntriesTest, Import_MarksAndLeavesWhatIsVerifiedHere) {
  Choice own = put("a", 1);
  put("b", 9, "2026", true);
  Entries entries = {{make("a", 9), make("b", 1), make("c", 1)}, {}};
  Taken taken = valueOf(database::import(*database, entries));
  EXPECT_EQ(choicesIn(*database),
            (std::vector{own, make("b", 1, "2026", true), make("c", 1, "2026", true)}));
  EXPECT_EQ(taken.choices, 2u);
  EXPECT_EQ(taken.kept, 1u);
  std::vector<Choice> used = valueOf(database->choices(kernel, false));
  EXPECT_EQ(used, std::vector{own}) << "an imported choice is used";
}

TEST_F(EntriesTest, Json_RoundTrip) {
  Entries entries = {{make("a", 4294967295u), make("b", 0, "", true)},
                     {exclusionOf(kernel, "block.x=8"), exclusionOf(kernelWith("x"), "shape=1")}};
  entries.choices[0].kernelName = "\"quoted\" 'name' \\ \n \xc3\xa4\xf0\x9f\x9a\x80";
  entries.choices[0].originalMicroseconds = 0.1 + 0.2;
  entries.choices[0].kernel.driver = 0;
  entries.choices[0].launch = "for.block=256x1x1,for.arg1=5000";
  OrError<Entries> read = parseEntries(toJson(groupByKernel(entries)), "x");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->choices, entries.choices);
  EXPECT_EQ(read->exclusions, entries.exclusions);
  EXPECT_EQ(toJson(groupByKernel(*read)), toJson(groupByKernel(entries)));
}

TEST_F(EntriesTest, Json_NamesWhatIsWrong) {
  std::string good = toJson(groupByKernel({{make("a", 3)}, {exclusionOf(kernel, "block.x=8")}}));
  auto wrongIn = [](const std::string &text) { return errorOf(parseEntries(text, "a.json")); };
  auto changed = [&](const char *pointer, nlohmann::json value) {
    auto json = nlohmann::json::parse(good);
    json[nlohmann::json::json_pointer(pointer)] = std::move(value);
    return wrongIn(json.dump());
  };
  EXPECT_TRUE(wrongIn("{").starts_with("a.json:1:")) << wrongIn("{");
  EXPECT_EQ(wrongIn("{}"), "a.json: regrain_tuning: is missing");
  EXPECT_EQ(changed("/regrain_tuning", "1.0"),
            "a.json: regrain_tuning: version 1.0 is not known to this compiler, which reads 2.x");
  EXPECT_EQ(changed("/kernels", 1), "a.json: kernels: expected a list");
  EXPECT_EQ(changed("/kernels/0/driver", -1),
            "a.json: kernels[0].driver: expected a whole number of 32 bits that is not negative");
  EXPECT_EQ(changed("/kernels/0/choices/0/launches", 4294967296),
            "a.json: kernels[0].choices[0].launches: expected a whole number of 32 bits that is "
            "not negative");
  EXPECT_EQ(changed("/kernels/0/choices/0/launches", 1.5),
            "a.json: kernels[0].choices[0].launches: expected a whole number of 32 bits that is "
            "not negative");
  EXPECT_EQ(changed("/kernels/0/choices/0/imported", 1),
            "a.json: kernels[0].choices[0].imported: expected true or false");
  EXPECT_EQ(changed("/kernels/0/choices/0/gain", "x"),
            "a.json: kernels[0].choices[0].gain: expected a number that is not negative");
  EXPECT_EQ(changed("/kernels/0/exclusions/0/reason", nullptr),
            "a.json: kernels[0].exclusions[0].reason: expected text");
}

TEST_F(EntriesTest, Grouped_BySortedKernel) {
  Entries entries = {{make("a", 1), make("b", 1)}, {exclusionOf(kernelWith("abb"), "block.x=8")}};
  entries.choices[1].kernelName = "a";
  std::vector<KernelEntries> groups = groupByKernel(entries);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].name, "a");
  EXPECT_EQ(groups[1].kernel.hash, "abb");
  EXPECT_EQ(groups[1].exclusions.size(), 1u);
  EXPECT_EQ(groups[2].choices.size(), 1u);
}

TEST_F(EntriesTest, LatestMeasurements_OfEachAlternativeAndClass) {
  put("a", 1);
  for (const auto &[session, alternative] :
       {std::pair("s1", "block.x=2"), std::pair("s1", "block.x=4"), std::pair("s2", "block.x=4")}) {
    Measurement measurement = measurementOf(kernel, session);
    measurement.launchClass = "a";
    measurement.alternative = alternative;
    ASSERT_EQ(errorOf(database->add(measurement)), "");
  }
  auto kernels = valueOf(withLatestMeasurements(*database, valueOf(readEntries(*database, "*"))));
  ASSERT_EQ(kernels.size(), 1u);
  ASSERT_EQ(kernels[0].measurements.size(), 2u);
  EXPECT_EQ(kernels[0].measurements[0].session, "s1");
  EXPECT_EQ(kernels[0].measurements[0].alternative, "block.x=2");
  EXPECT_EQ(kernels[0].measurements[1].session, "s2");
  nlohmann::json written = nlohmann::json::parse(toJson(kernels));
  EXPECT_EQ(written["kernels"][0]["measurements"][1]["class"], "a");
  OrError<Entries> read = parseEntries(written.dump(), "x");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->choices.size(), 1u) << "measurements of other machines are not taken";
}

TEST_F(EntriesTest, ReadEntries_ByGlob) {
  put("a", 1);
  Choice other = make("a", 1);
  other.kernelName = "ns::other(int)";
  other.kernel = kernelWith("other");
  ASSERT_EQ(errorOf(database->put(other)), "");
  ASSERT_EQ(errorOf(database->put(exclusionOf(kernel, "block.x=8"))), "");
  Entries entries = valueOf(readEntries(*database, "ns::*"));
  EXPECT_EQ(entries.choices, std::vector{other});
  EXPECT_TRUE(entries.exclusions.empty());
}

TEST(Staleness, OtherCompilerOrDriverOfADeviceThatIsHere) {
  Installation here = {"regrain 0.1.0", {{"NVIDIA H100 80GB HBM3", 13000}}};
  EXPECT_EQ(stalenessOf(kernel, here), "");
  TunedKernel other = kernel;
  other.compiler = "regrain 0.0.9";
  EXPECT_EQ(stalenessOf(other, here), "compiled by regrain 0.0.9, but this is regrain 0.1.0");
  other = kernel;
  other.driver = 12050;
  EXPECT_EQ(stalenessOf(other, here), "measured with driver 12.5, but this machine has 13.0");
  other.device = "NVIDIA A100-SXM4-80GB";
  EXPECT_EQ(stalenessOf(other, here), "") << "it is not here";
  other.generation = "";
  EXPECT_EQ(stalenessOf(other, here), "measured with an older version of Regrain, which did not "
                                      "record how code was generated; tune again");
}

TEST_F(EntriesTest, Check_CountsAndFindsStaleEntries) {
  put("a", 1);
  ASSERT_EQ(errorOf(database->add(measurementOf(kernel, "s"))), "");
  ASSERT_EQ(errorOf(database->begin({kernel, name, "a", "block.x=2", "s"})), "");
  CheckReport report = valueOf(check(*database, {"another", {}}));
  EXPECT_EQ(report.choices, 1u);
  EXPECT_EQ(report.exclusions, 0u);
  EXPECT_EQ(report.condition.measurements, 1u);
  EXPECT_EQ(report.condition.underway, 1u);
  EXPECT_TRUE(report.condition.faults.empty());
  ASSERT_EQ(report.stale.size(), 1u);
  EXPECT_EQ(report.stale[0].name, name);
}

TEST_F(EntriesTest, Check_FindsWhatOpeningDoesNot) {
  put("a", 1);
  database.reset();
  runSql(path, "PRAGMA foreign_keys = OFF; DELETE FROM kernels");
  CheckReport report = valueOf(check(*openToRead(), {}));
  EXPECT_EQ(report.condition.faults,
            std::vector<std::string>{"the table 'choices' names kernels that do not exist"});
}

} // namespace
