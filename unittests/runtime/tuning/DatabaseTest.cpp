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
  choice.launch = "for.block=256x1x1,for.arg1=5000";
  ASSERT_EQ(errorOf(openToWrite()->put(choice)), "");
  EXPECT_EQ(notice, "");
  std::vector<Choice> found = valueOf(openToRead()->choices(kernel, false));
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
  ASSERT_EQ(errorOf(database->put(choice)), "");
  ASSERT_EQ(errorOf(database->put(exclusion)), "");
  EXPECT_EQ(choicesIn(*database), std::vector{choice});
  EXPECT_EQ(exclusionsIn(*database), std::vector{exclusion});
  std::vector<Choice> stale = valueOf(database->staleChoices(kernel, awkward));
  EXPECT_EQ(stale, std::vector{choice});
  ASSERT_EQ(errorOf(database->forget(awkward, true)), "");
  EXPECT_TRUE(choicesIn(*database).empty());
  EXPECT_TRUE(exclusionsIn(*database).empty());
}

TEST_F(DatabaseTest, PutChoice_ReplacesThatOfTheClassAlone) {
  auto database = openToWrite();
  ASSERT_EQ(errorOf(database->put(choiceOf(kernel, "a", "block.x=2"))), "");
  ASSERT_EQ(errorOf(database->put(choiceOf(kernel, "b", "block.x=3"))), "");
  Choice second = choiceOf(kernel, "a", "thread.x=2");
  second.kernelName = "the same code under another name";
  ASSERT_EQ(errorOf(database->put(second)), "");
  std::vector<Choice> found = valueOf(database->choices(kernel, false));
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
    ASSERT_EQ(errorOf(database->put(choiceOf(other, "a"))), "");
  std::vector<Choice> found = {choiceOf(kernel, "replaced")};
  found = valueOf(database->choices(kernel, true));
  EXPECT_TRUE(found.empty());
  found = valueOf(database->staleChoices(kernel, "void scale<float>(float *, int)"));
  EXPECT_EQ(found.size(), 6u);
  found = valueOf(database->staleChoices(others[0], "void scale<float>(float *, int)"));
  EXPECT_EQ(found.size(), 5u);
  found = valueOf(database->staleChoices(kernel, "void scale<double>(double *, int)"));
  EXPECT_TRUE(found.empty());
}

TEST_F(DatabaseTest, Imported_OnlyWhereAskedFor) {
  auto database = openToWrite();
  Choice imported = choiceOf(kernel, "a");
  imported.imported = true;
  ASSERT_EQ(errorOf(database->put(imported)), "");
  std::vector<Choice> found = valueOf(database->choices(kernel, false));
  EXPECT_TRUE(found.empty());
  found = valueOf(database->choices(kernel, true));
  EXPECT_EQ(found, std::vector{imported});
}

TEST_F(DatabaseTest, Exclusion_DropsChoicesAndForbidsThem) {
  auto database = openToWrite();
  TunedKernel other = kernelWith("other");
  for (const TunedKernel &each : {kernel, other})
    ASSERT_EQ(errorOf(database->put(choiceOf(each, "a", "block.x=4"))), "");
  ASSERT_EQ(errorOf(database->put(choiceOf(kernel, "b", "block.x=2"))), "");
  ASSERT_EQ(errorOf(database->put(exclusionOf(kernel, "block.x=4"))), "");
  EXPECT_EQ(choicesIn(*database),
            (std::vector{choiceOf(kernel, "b", "block.x=2"), choiceOf(other, "a", "block.x=4")}));
  EXPECT_EQ(errorOf(database->put(choiceOf(kernel, "c", "block.x=4"))),
            "tuning database '" + path.string() +
                "': 'block.x=4' cannot be chosen for 'void scale<float>(float *, int)': it is "
                "excluded: differs at byte 4096");
  EXPECT_EQ(choicesIn(*database).size(), 2u);
  std::vector<Exclusion> found = valueOf(database->exclusions(kernel));
  EXPECT_EQ(found, std::vector{exclusionOf(kernel, "block.x=4")});
  found = valueOf(database->exclusions(other));
  EXPECT_TRUE(found.empty());
}

TEST_F(DatabaseTest, Exclusion_IsReplaced) {
  auto database = openToWrite();
  ASSERT_EQ(errorOf(database->put(exclusionOf(kernel, "block.x=4"))), "");
  Exclusion second = exclusionOf(kernel, "block.x=4");
  second.reason = "signal 11";
  ASSERT_EQ(errorOf(database->put(second)), "");
  EXPECT_EQ(exclusionsIn(*database), std::vector{second});
}

TEST_F(DatabaseTest, EmptyTime_IsNow) {
  auto database = openToWrite();
  Choice choice = choiceOf(kernel, "a");
  choice.when.clear();
  ASSERT_EQ(errorOf(database->put(choice)), "");
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
    EXPECT_NE(errorOf(database->put(choice)), "");
  }
  EXPECT_TRUE(choicesIn(*database).empty());
  DatabaseCondition condition = valueOf(database->condition());
  EXPECT_EQ(condition.kernels, 0u) << "the refused change left something";
}

TEST_F(DatabaseTest, Measurements_ComeInTheirOrderAndOfTheirSession) {
  auto database = openToWrite();
  std::vector<Measurement> added;
  for (uint32_t launch : {2u, 0u, 4294967295u})
    added.push_back(measurementOf(kernel, "s1", launch));
  for (const Measurement &measurement : added)
    ASSERT_EQ(errorOf(database->add(measurement)), "");
  Measurement other = added[0];
  other.session = "s2";
  ASSERT_EQ(errorOf(database->add(other)), "");
  std::vector<Measurement> found = valueOf(database->measurements("s1"));
  EXPECT_EQ(found, added);
  found = valueOf(database->measurements("s2"));
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
    ASSERT_EQ(errorOf(database->add(measurement)), "");
  };
  for (const char *session : {"s1", "s2", "s3"})
    for (int twice = 0; twice < 2; ++twice)
      add(session == std::string_view("s2") ? rebuilt : kernel, session, "a");
  add(kernel, "s1", "seldom");
  add(elsewhere, "s1", "a");
  ASSERT_EQ(errorOf(database->dropOldMeasurements(2)), "");
  auto left = [&](const char *session) {
    std::vector<Measurement> found = valueOf(database->measurements(session));
    std::string text;
    for (const Measurement &measurement : found)
      text += measurement.kernel.device.substr(0, 3) + ":" + measurement.launchClass + " ";
    return text;
  };
  EXPECT_EQ(left("s1"), "NVI:seldom ano:a ");
  EXPECT_EQ(left("s2"), "NVI:a NVI:a ");
  EXPECT_EQ(left("s3"), "NVI:a NVI:a ");
  ASSERT_EQ(errorOf(database->dropOldMeasurements(0)), "");
  DatabaseCondition condition = valueOf(database->condition());
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
    ASSERT_EQ(errorOf(database->begin(each)), "");
  std::vector<Underway> found = valueOf(openToRead()->underway("s1"));
  EXPECT_EQ(found, (std::vector{first, second}));
  ASSERT_EQ(errorOf(database->end(first)), "");
  ASSERT_EQ(errorOf(database->end(first)), "") << "ending twice does no harm";
  found = valueOf(database->underway("s1"));
  EXPECT_EQ(found, std::vector{second});
  found = valueOf(database->underway("s2"));
  EXPECT_EQ(found, std::vector{other});
}

TEST_F(DatabaseTest, Forget_KeepsExclusionsUnlessAsked) {
  auto database = openToWrite();
  Choice other = choiceOf(kernel, "z");
  other.kernelName = "other";
  ASSERT_EQ(errorOf(database->put(choiceOf(kernel, "a"))), "");
  ASSERT_EQ(errorOf(database->put(other)), "");
  ASSERT_EQ(errorOf(database->put(exclusionOf(kernel, "block.x=8"))), "");
  ASSERT_EQ(errorOf(database->add(measurementOf(kernel, "s"))), "");
  ASSERT_EQ(errorOf(database->forget("void scale<float>(float *, int)", false)), "");
  EXPECT_EQ(choicesIn(*database), std::vector{other});
  EXPECT_EQ(exclusionsIn(*database).size(), 1u);
  std::vector<Measurement> measurements = valueOf(database->measurements("s"));
  EXPECT_TRUE(measurements.empty());
  ASSERT_EQ(errorOf(database->forget("void scale<float>(float *, int)", true)), "");
  EXPECT_TRUE(exclusionsIn(*database).empty());
  DatabaseCondition condition = valueOf(database->condition());
  EXPECT_EQ(condition.kernels, 1u) << "kernels of which nothing is known stay";
}

TEST_F(DatabaseTest, KernelNames_AreSortedAndEachOnce) {
  auto database = openToWrite();
  Choice choice = choiceOf(kernel, "a");
  choice.kernelName = "b";
  ASSERT_EQ(errorOf(database->put(choice)), "");
  choice.kernel = kernelWith("other");
  ASSERT_EQ(errorOf(database->put(choice)), "");
  Measurement measurement = measurementOf(kernel, "s");
  measurement.kernelName = "a";
  ASSERT_EQ(errorOf(database->add(measurement)), "");
  std::vector<std::string> names = valueOf(database->kernelNames());
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b"}));
}

TEST_F(DatabaseTest, Atomically_AllOrNothing) {
  auto database = openToWrite();
  Choice bad = choiceOf(kernel, "b");
  bad.gain.ratio = std::nan("");
  EXPECT_NE(errorOf(database->atomically([&] {
              EXPECT_EQ(errorOf(database->put(choiceOf(kernel, "a"))), "");
              EXPECT_EQ(choicesIn(*database).size(), 1u) << "it does not see its own change";
              EXPECT_NE(errorOf(database->put(bad)), "");
              EXPECT_NE(errorOf(database->put(choiceOf(kernel, "c"))), "") << "after a failure";
              return OrError<void>();
            })),
            "");
  EXPECT_TRUE(choicesIn(*database).empty());
  EXPECT_EQ(errorOf(database->atomically([&]() -> OrError<void> {
              EXPECT_EQ(errorOf(database->put(choiceOf(kernel, "a"))), "");
              return tl::make_unexpected("the caller's");
            })),
            "the caller's");
  EXPECT_TRUE(choicesIn(*database).empty());
  EXPECT_EQ(errorOf(database->atomically([&] { return database->put(choiceOf(kernel, "a")); })),
            "");
  EXPECT_EQ(choicesIn(*database).size(), 1u);
  EXPECT_NE(errorOf(database->atomically(
                [&] { return database->atomically([] { return OrError<void>(); }); })),
            "");
  EXPECT_EQ(errorOf(database->put(choiceOf(kernel, "b"))), "");
}

TEST_F(DatabaseTest, Threads_ShareOne) {
  auto database = openToWrite();
  constexpr int threads = 4, changes = 25;
  std::vector<std::jthread> running;
  for (int thread = 0; thread < threads; ++thread)
    running.emplace_back([&, thread] {
      for (int i = 0; i < changes; ++i) {
        std::string launchClass = std::to_string(thread) + "/" + std::to_string(i);
        EXPECT_EQ(errorOf(database->put(choiceOf(kernel, launchClass))), "");
        std::vector<Choice> found = valueOf(database->choices(kernel, false));
        EXPECT_GT(found.size(), static_cast<size_t>(i));
      }
    });
  running.clear();
  EXPECT_EQ(choicesIn(*database).size(), size_t{threads * changes});
}

TEST_F(DatabaseTest, ReadOnly_RefusesEveryChange) {
  ASSERT_EQ(errorOf(openToWrite()->put(choiceOf(kernel, "a"))), "");
  auto before = contents();
  auto database = openToRead();
  std::string refused = "tuning database '" + path.string() + "': it is open for reading only";
  EXPECT_EQ(errorOf(database->put(choiceOf(kernel, "b"))), refused);
  EXPECT_EQ(errorOf(database->put(exclusionOf(kernel, "block.x=4"))), refused);
  EXPECT_EQ(errorOf(database->add(measurementOf(kernel, "s"))), refused);
  EXPECT_EQ(errorOf(database->begin({kernel, "k", "a", "block.x=2", "s"})), refused);
  EXPECT_EQ(errorOf(database->end({kernel, "k", "a", "block.x=2", "s"})), refused);
  EXPECT_EQ(errorOf(database->forget("k", true)), refused);
  EXPECT_EQ(errorOf(database->atomically([] { return OrError<void>(); })), refused);
  EXPECT_EQ(choicesIn(*database).size(), 1u);
  EXPECT_EQ(contents(), before);
}

} // namespace
