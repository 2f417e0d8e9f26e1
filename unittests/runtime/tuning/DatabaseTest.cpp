//===- tuning/DatabaseTest.cpp - Changes and queries ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/tuning/DatabaseParts.h"

#include <cmath>
#include <limits>
#include <thread>

using namespace regrain;

namespace {

using std::string_literals::operator""s;

const TunedKernel kernel = kernelWith("abc");

/// Quotes of SQL, of C and of shells, what is not ASCII, and a byte that ends C strings.
const std::string awkward =
    "void f<'a', \"b\">(`c`); DROP TABLE choices; -- \xc3\xa4\xe2\x86\x92\xf0\x9f\x9a\x80 %s\\\n\0x"s;

TEST_F(DatabaseTest, Choice_SurvivesReopening) {
  Choice choice = choiceOf(kernel, "block=256x1x1");
  ASSERT_EQ(openToWrite()->put(choice).text, "");
  EXPECT_EQ(notice, "");
  std::vector<Choice> found;
  ASSERT_EQ(openToRead()->choices(kernel, false, found).text, "");
  EXPECT_EQ(found, std::vector{choice});
}

TEST_F(DatabaseTest, Text_ComesBackByteForByte) {
  TunedKernel strange = {awkward + "1", awkward + "0", awkward + "2", UINT32_MAX, -7,
                         awkward + "3"};
  Choice choice = choiceOf(strange, awkward + "4", awkward + "5");
  choice.kernelName = awkward;
  choice.verdict = awkward + "6";
  choice.verified = "";
  Exclusion exclusion = {strange, awkward, awkward + "7", awkward + "8", "2026-11-21T12:00:00Z"};
  auto database = openToWrite();
  ASSERT_EQ(database->put(choice).text, "");
  ASSERT_EQ(database->put(exclusion).text, "");
  EXPECT_EQ(choicesIn(*database), std::vector{choice});
  EXPECT_EQ(exclusionsIn(*database), std::vector{exclusion});
  std::vector<Choice> stale;
  ASSERT_EQ(database->staleChoices(kernel, awkward, stale).text, "");
  EXPECT_EQ(stale, std::vector{choice});
  ASSERT_EQ(database->forget(awkward, true).text, "");
  EXPECT_TRUE(choicesIn(*database).empty());
  EXPECT_TRUE(exclusionsIn(*database).empty());
}

TEST_F(DatabaseTest, PutChoice_ReplacesThatOfTheClassAlone) {
  auto database = openToWrite();
  ASSERT_EQ(database->put(choiceOf(kernel, "a", "block.x=2")).text, "");
  ASSERT_EQ(database->put(choiceOf(kernel, "b", "block.x=3")).text, "");
  Choice second = choiceOf(kernel, "a", "thread.x=2");
  second.kernelName = "the same code under another name";
  ASSERT_EQ(database->put(second).text, "");
  std::vector<Choice> found;
  ASSERT_EQ(database->choices(kernel, false, found).text, "");
  EXPECT_EQ(found, (std::vector{second, choiceOf(kernel, "b", "block.x=3")}));
}

TEST_F(DatabaseTest, Choices_AreThoseOfTheWholeKey) {
  auto database = openToWrite();
  std::vector<TunedKernel> others(6, kernel);
  others[0].hash = "abd";
  others[1].device = "CPU";
  others[2].driver = 12090;
  others[3].compiler = "regrain 0.2.0";
  others[4].generation = "33cd";
  others[5].multiprocessors = 114;
  for (const TunedKernel &other : others)
    ASSERT_EQ(database->put(choiceOf(other, "a")).text, "");
  std::vector<Choice> found = {choiceOf(kernel, "replaced")};
  ASSERT_EQ(database->choices(kernel, true, found).text, "");
  EXPECT_TRUE(found.empty());
  ASSERT_EQ(database->staleChoices(kernel, "void scale<float>(float *, int)", found).text, "");
  EXPECT_EQ(found.size(), 6u);
  ASSERT_EQ(database->staleChoices(others[0], "void scale<float>(float *, int)", found).text, "");
  EXPECT_EQ(found.size(), 5u);
  ASSERT_EQ(database->staleChoices(kernel, "void scale<double>(double *, int)", found).text, "");
  EXPECT_TRUE(found.empty());
}

TEST_F(DatabaseTest, Imported_OnlyWhereAskedFor) {
  auto database = openToWrite();
  Choice imported = choiceOf(kernel, "a");
  imported.imported = true;
  ASSERT_EQ(database->put(imported).text, "");
  std::vector<Choice> found;
  ASSERT_EQ(database->choices(kernel, false, found).text, "");
  EXPECT_TRUE(found.empty());
  ASSERT_EQ(database->choices(kernel, true, found).text, "");
  EXPECT_EQ(found, std::vector{imported});
}

TEST_F(DatabaseTest, Exclusion_DropsChoicesAndForbidsThem) {
  auto database = openToWrite();
  TunedKernel other = kernelWith("other");
  for (const TunedKernel &each : {kernel, other})
    ASSERT_EQ(database->put(choiceOf(each, "a", "block.x=4")).text, "");
  ASSERT_EQ(database->put(choiceOf(kernel, "b", "block.x=2")).text, "");
  ASSERT_EQ(database->put(exclusionOf(kernel, "block.x=4")).text, "");
  EXPECT_EQ(choicesIn(*database),
            (std::vector{choiceOf(kernel, "b", "block.x=2"), choiceOf(other, "a", "block.x=4")}));
  EXPECT_EQ(database->put(choiceOf(kernel, "c", "block.x=4")).text,
            "tuning database '" + path.string() +
                "': 'block.x=4' cannot be chosen for 'void scale<float>(float *, int)': it is "
                "excluded: differs at byte 4096");
  EXPECT_EQ(choicesIn(*database).size(), 2u);
  std::vector<Exclusion> found;
  ASSERT_EQ(database->exclusions(kernel, found).text, "");
  EXPECT_EQ(found, std::vector{exclusionOf(kernel, "block.x=4")});
  ASSERT_EQ(database->exclusions(other, found).text, "");
  EXPECT_TRUE(found.empty());
}

TEST_F(DatabaseTest, Exclusion_IsReplaced) {
  auto database = openToWrite();
  ASSERT_EQ(database->put(exclusionOf(kernel, "block.x=4")).text, "");
  Exclusion second = exclusionOf(kernel, "block.x=4");
  second.reason = "signal 11";
  ASSERT_EQ(database->put(second).text, "");
  EXPECT_EQ(exclusionsIn(*database), std::vector{second});
}

TEST_F(DatabaseTest, EmptyTime_IsNow) {
  auto database = openToWrite();
  Choice choice = choiceOf(kernel, "a");
  choice.when.clear();
  ASSERT_EQ(database->put(choice).text, "");
  std::string when = choicesIn(*database).at(0).when;
  ASSERT_EQ(when.size(), 20u) << when;
  EXPECT_GT(when, "2026-01-01T00:00:00Z");
  EXPECT_EQ(when.back(), 'Z');
}

TEST_F(DatabaseTest, FiguresThatAreNotFinite_AreRefused) {
  auto database = openToWrite();
  for (double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Choice choice = choiceOf(kernel, "a");
    choice.gain.high = bad;
    EXPECT_NE(database->put(choice).text, "");
  }
  EXPECT_TRUE(choicesIn(*database).empty());
  DatabaseCondition condition;
  ASSERT_EQ(database->condition(condition).text, "");
  EXPECT_EQ(condition.kernels, 0u) << "the refused change left something";
}

TEST_F(DatabaseTest, Measurements_ComeInTheirOrderAndOfTheirSession) {
  auto database = openToWrite();
  std::vector<Measurement> added;
  for (uint32_t launch : {2u, 0u, 4294967295u})
    added.push_back(measurementOf(kernel, "s1", launch));
  for (const Measurement &measurement : added)
    ASSERT_EQ(database->add(measurement).text, "");
  Measurement other = added[0];
  other.session = "s2";
  ASSERT_EQ(database->add(other).text, "");
  std::vector<Measurement> found;
  ASSERT_EQ(database->measurements("s1", found).text, "");
  EXPECT_EQ(found, added);
  ASSERT_EQ(database->measurements("s2", found).text, "");
  EXPECT_EQ(found, std::vector{other});
}

TEST_F(DatabaseTest, OldMeasurements_GoByKernelsNameDeviceAndClass) {
  auto database = openToWrite();
  TunedKernel rebuilt = kernel, elsewhere = kernel;
  rebuilt.compiler = "regrain 9";
  rebuilt.hash = "other";
  elsewhere.device = "another";
  auto add = [&](const TunedKernel &of, const char *session, const char *launchClass) {
    Measurement measurement = measurementOf(of, session);
    measurement.launchClass = launchClass;
    ASSERT_EQ(database->add(measurement).text, "");
  };
  for (const char *session : {"s1", "s2", "s3"})
    for (int twice = 0; twice < 2; ++twice)
      add(session == std::string_view("s2") ? rebuilt : kernel, session, "a");
  add(kernel, "s1", "seldom");
  add(elsewhere, "s1", "a");
  ASSERT_EQ(database->dropOldMeasurements(2).text, "");
  auto left = [&](const char *session) {
    std::vector<Measurement> found;
    EXPECT_EQ(database->measurements(session, found).text, "");
    std::string text;
    for (const Measurement &measurement : found)
      text += measurement.kernel.device.substr(0, 3) + ":" + measurement.launchClass + " ";
    return text;
  };
  EXPECT_EQ(left("s1"), "NVI:seldom ano:a ");
  EXPECT_EQ(left("s2"), "NVI:a NVI:a ");
  EXPECT_EQ(left("s3"), "NVI:a NVI:a ");
  ASSERT_EQ(database->dropOldMeasurements(0).text, "");
  DatabaseCondition condition;
  ASSERT_EQ(database->condition(condition).text, "");
  EXPECT_EQ(condition.measurements + condition.kernels, 0u);
}

TEST_F(DatabaseTest, Underway_BeginsAndEnds) {
  auto database = openToWrite();
  Underway first = {kernel, "k", "a", "block.x=2", "s1", 4711, 1'700'000'000'000, 2000};
  Underway second = first;
  second.process = 4712;
  second.sinceMilliseconds += 1;
  Underway other = first;
  other.session = "s2";
  for (const Underway &each : {second, first, other, first})
    ASSERT_EQ(database->begin(each).text, "");
  std::vector<Underway> found;
  ASSERT_EQ(openToRead()->underway("s1", found).text, "");
  EXPECT_EQ(found, (std::vector{first, second}));
  ASSERT_EQ(database->end(first).text, "");
  ASSERT_EQ(database->end(first).text, "") << "ending twice does no harm";
  ASSERT_EQ(database->underway("s1", found).text, "");
  EXPECT_EQ(found, std::vector{second});
  ASSERT_EQ(database->underway("s2", found).text, "");
  EXPECT_EQ(found, std::vector{other});
}

TEST_F(DatabaseTest, Forget_KeepsExclusionsUnlessAsked) {
  auto database = openToWrite();
  Choice other = choiceOf(kernel, "z");
  other.kernelName = "other";
  ASSERT_EQ(database->put(choiceOf(kernel, "a")).text, "");
  ASSERT_EQ(database->put(other).text, "");
  ASSERT_EQ(database->put(exclusionOf(kernel, "block.x=8")).text, "");
  ASSERT_EQ(database->add(measurementOf(kernel, "s")).text, "");
  ASSERT_EQ(database->forget("void scale<float>(float *, int)", false).text, "");
  EXPECT_EQ(choicesIn(*database), std::vector{other});
  EXPECT_EQ(exclusionsIn(*database).size(), 1u);
  std::vector<Measurement> measurements;
  ASSERT_EQ(database->measurements("s", measurements).text, "");
  EXPECT_TRUE(measurements.empty());
  ASSERT_EQ(database->forget("void scale<float>(float *, int)", true).text, "");
  EXPECT_TRUE(exclusionsIn(*database).empty());
  DatabaseCondition condition;
  ASSERT_EQ(database->condition(condition).text, "");
  EXPECT_EQ(condition.kernels, 1u) << "kernels of which nothing is known stay";
}

TEST_F(DatabaseTest, KernelNames_AreSortedAndEachOnce) {
  auto database = openToWrite();
  Choice choice = choiceOf(kernel, "a");
  choice.kernelName = "b";
  ASSERT_EQ(database->put(choice).text, "");
  choice.kernel = kernelWith("other");
  ASSERT_EQ(database->put(choice).text, "");
  Measurement measurement = measurementOf(kernel, "s");
  measurement.kernelName = "a";
  ASSERT_EQ(database->add(measurement).text, "");
  std::vector<std::string> names;
  ASSERT_EQ(database->kernelNames(names).text, "");
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b"}));
}

TEST_F(DatabaseTest, Atomically_AllOrNothing) {
  auto database = openToWrite();
  Choice bad = choiceOf(kernel, "b");
  bad.gain.ratio = std::nan("");
  EXPECT_NE(database
                ->atomically([&] {
                  EXPECT_EQ(database->put(choiceOf(kernel, "a")).text, "");
                  EXPECT_EQ(choicesIn(*database).size(), 1u) << "it does not see its own change";
                  EXPECT_NE(database->put(bad).text, "");
                  EXPECT_NE(database->put(choiceOf(kernel, "c")).text, "") << "after a failure";
                  return DatabaseError{};
                })
                .text,
            "");
  EXPECT_TRUE(choicesIn(*database).empty());
  EXPECT_EQ(database
                ->atomically([&] {
                  EXPECT_EQ(database->put(choiceOf(kernel, "a")).text, "");
                  return DatabaseError{"the caller's"};
                })
                .text,
            "the caller's");
  EXPECT_TRUE(choicesIn(*database).empty());
  EXPECT_EQ(database->atomically([&] { return database->put(choiceOf(kernel, "a")); }).text, "");
  EXPECT_EQ(choicesIn(*database).size(), 1u);
  EXPECT_NE(
      database->atomically([&] { return database->atomically([] { return DatabaseError{}; }); })
          .text,
      "");
  EXPECT_EQ(database->put(choiceOf(kernel, "b")).text, "");
}

TEST_F(DatabaseTest, Threads_ShareOne) {
  auto database = openToWrite();
  constexpr int threads = 4, changes = 25;
  std::vector<std::jthread> running;
  for (int thread = 0; thread < threads; ++thread)
    running.emplace_back([&, thread] {
      for (int i = 0; i < changes; ++i) {
        std::string launchClass = std::to_string(thread) + "/" + std::to_string(i);
        EXPECT_EQ(database->put(choiceOf(kernel, launchClass)).text, "");
        std::vector<Choice> found;
        EXPECT_EQ(database->choices(kernel, false, found).text, "");
        EXPECT_GT(found.size(), static_cast<size_t>(i));
      }
    });
  running.clear();
  EXPECT_EQ(choicesIn(*database).size(), size_t{threads * changes});
}

TEST_F(DatabaseTest, ReadOnly_RefusesEveryChange) {
  ASSERT_EQ(openToWrite()->put(choiceOf(kernel, "a")).text, "");
  auto before = contents();
  auto database = openToRead();
  std::string refused = "tuning database '" + path.string() + "': it is open for reading alone";
  EXPECT_EQ(database->put(choiceOf(kernel, "b")).text, refused);
  EXPECT_EQ(database->put(exclusionOf(kernel, "block.x=4")).text, refused);
  EXPECT_EQ(database->add(measurementOf(kernel, "s")).text, refused);
  EXPECT_EQ(database->begin({kernel, "k", "a", "block.x=2", "s"}).text, refused);
  EXPECT_EQ(database->end({kernel, "k", "a", "block.x=2", "s"}).text, refused);
  EXPECT_EQ(database->forget("k", true).text, refused);
  EXPECT_EQ(database->atomically([] { return DatabaseError{}; }).text, refused);
  EXPECT_EQ(choicesIn(*database).size(), 1u);
  EXPECT_EQ(contents(), before);
}

} // namespace
