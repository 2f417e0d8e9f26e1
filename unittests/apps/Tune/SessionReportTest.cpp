//===- SessionReportTest.cpp - The report of a tuning run -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/SessionReport.h"

#include "unittests/apps/Tune/FakeDatabase.h"

#include <gtest/gtest.h>
#include <sstream>

namespace regrain::tune {
namespace {

const TunedKernel first = {"1111", "aa", "device", 8, 1, "regrain"},
                  second = {"2222", "aa", "device", 8, 1, "regrain"};

Measurement measured(const TunedKernel &kernel, const std::string &launchClass, uint32_t launch,
                     double weight, double microseconds, const std::string &outcome = "timed") {
  Measurement measurement;
  measurement.kernel = kernel;
  measurement.kernelName = "k" + kernel.hash + "(int)";
  measurement.launchClass = launchClass;
  measurement.alternative = "block.x=2";
  measurement.launch = launch;
  measurement.weight = weight;
  measurement.originalMicroseconds = microseconds;
  measurement.outcome = outcome;
  return measurement;
}

std::string classOf(unsigned waves) {
  return "block=64x1x1,shared=0,align=16,waves=" + std::to_string(waves) + ",grid=*x1x1";
}

Choice chosen(const TunedKernel &kernel, const std::string &launchClass,
              const std::string &alternative) {
  Choice choice;
  choice.kernel = kernel;
  choice.kernelName = "k" + kernel.hash + "(int)";
  choice.launchClass = launchClass;
  choice.alternative = alternative;
  choice.verdict = "because";
  choice.originalMicroseconds = 10;
  choice.chosenMicroseconds = 8;
  choice.gain = {1.25, 1.2, 1.3};
  choice.launches = 1;
  choice.when = "2026-11-21T12:00:00Z";
  return choice;
}

SessionReport reportOf(FakeDatabase &database, const Outcome &outcome = {}) {
  Plan plan;
  plan.command = {"/bin/sh"};
  OrError<SessionReport> report = makeReport(database, plan, outcome, ProgramImages(""));
  EXPECT_TRUE(report);
  return report.value_or(SessionReport());
}

std::string tableOf(const SessionReport &report) {
  std::ostringstream stream;
  writeTable(report, stream);
  return stream.str();
}

NotTuned notTuned(const std::string &kernelName, unsigned waves, const std::string &reason) {
  NotTuned entry;
  entry.kernelName = kernelName;
  entry.launchClass = classOf(waves);
  entry.reason = reason;
  return entry;
}

TEST(Table, KernelsWithOneShortName_HaveTheirArguments) {
  SessionReport report;
  report.notTuned = {notTuned("void stencil<3>(int)", 1, "a"),
                     notTuned("void stencil<9>(int)", 1, "b"), notTuned("add(int)", 1, "c"),
                     notTuned("add(float)", 1, "d"), notTuned("void one<4>(int)", 1, "e")};
  std::string table = tableOf(report);
  for (const char *line :
       {"  stencil<3> 64 waves=1: a\n", "  stencil<9> 64 waves=1: b\n",
        "  add(int) 64 waves=1: c\n", "  add(float) 64 waves=1: d\n", "  one 64 waves=1: e\n"})
    EXPECT_NE(table.find(line), std::string::npos) << line << table;
}

TEST(Table, ManyClassesWithOneReason_AreCounted) {
  SessionReport report;
  for (unsigned waves = 1; waves <= 5; ++waves)
    report.notTuned.push_back(notTuned("k(int)", waves, "too small"));
  report.notTuned.push_back(notTuned("k(int)", 6, "another"));
  std::string table = tableOf(report);
  EXPECT_NE(table.find("  k 64 waves=3: too small\n  k 64 waves=6: another\n"
                       "  and 2 other classes: too small\n"),
            std::string::npos)
      << table;
  EXPECT_EQ(table.find("waves=4"), std::string::npos);
}

TEST(Table, ManyClassesThatWereNotTried_AreCountedWithTheLargestBudget) {
  SessionReport report;
  for (unsigned waves = 1; waves <= 10; ++waves) {
    NotTried entry;
    entry.kernelName = "k(int)";
    entry.launchClass = classOf(waves);
    entry.alternatives = {"block.x=2"};
    entry.budgetForAll = 20 + waves;
    report.notTried.push_back(entry);
  }
  std::string table = tableOf(report);
  EXPECT_NE(table.find("  k 64 waves=8: block.x=2; --budget 28 would try all\n"
                       "  and in 2 other classes; --budget 30 would try all of all classes\n"),
            std::string::npos)
      << table;
}

TEST(ShortClass, LeavesTheRuleAway) {
  EXPECT_EQ(shortClass("block=256x1x1,shared=0,align=16,waves=4"), "256 waves=4");
  EXPECT_EQ(shortClass("block=16x16x1,shared=2048,align=8,waves=1/8"),
            "16x16 shared=2048 align=8 waves=1/8");
  EXPECT_EQ(shortClass("block=1x1x1,shared=0,align=16,waves=1"), "1 waves=1");
  EXPECT_EQ(shortClass("block=64x1x1,shared=0,align=16,waves=1,grid=*x1x1,integers=64"),
            "64 waves=1 integers=64");
  EXPECT_EQ(shortClass("block=64x1x1,shared=0,align=16,waves=1,grid=*x4x1"),
            "64 waves=1 grid=*x4x1");
  EXPECT_EQ(shortClass("block=1x1x4,shared=0,align=16,waves=1"), "1x1x4 waves=1");
  EXPECT_EQ(shortClass(""), "");
}

TEST(SessionReport, OnlyKernelsOfTheSession) {
  FakeDatabase database;
  database.measured = {measured(first, "a", 0, 1, 10)};
  Choice imported = chosen(first, "c", "block.x=4");
  imported.imported = true;
  database.allOfChoices = {chosen(first, "a", "block.x=2"), chosen(first, "b", "block.x=4"),
                           imported, chosen(second, "a", "block.x=8")};
  database.excluded = {{first, "k1111(int)", "block.x=8", "wrong", ""},
                       {second, "k2222(int)", "block.x=8", "wrong", ""}};
  SessionReport report = reportOf(database);
  ASSERT_EQ(report.classes.size(), 2u);
  EXPECT_EQ(report.classes[0].choice.launchClass, "a");
  EXPECT_EQ(report.classes[0].measurements.size(), 1u);
  EXPECT_TRUE(report.classes[1].measurements.empty()) << "chosen before";
  ASSERT_EQ(report.exclusions.size(), 1u);
  EXPECT_EQ(report.exclusions[0].kernel, first);
  EXPECT_EQ(report.nothing, "");
  EXPECT_NE(tableOf(report).find("chosen on 2026-11-21T12:00:00Z: because"), std::string::npos);
}

TEST(SessionReport, KernelWhoseFirstCandidateBrokeTheProgram) {
  FakeDatabase database;
  database.excluded = {{first, "k1111(int)", "block.x=8", "killed", ""}};
  Outcome outcome;
  EXPECT_TRUE(reportOf(database, outcome).exclusions.empty());
  outcome.blamed = {{first, "k1111(int)", "a", "block.x=8", "s"}};
  EXPECT_EQ(reportOf(database, outcome).exclusions.size(), 1u);
}

TEST(SessionReport, NotTuned_EachReasonOnce) {
  FakeDatabase database;
  for (int launch = 0; launch < 3; ++launch) {
    database.measured.push_back(measured(first, "a", launch, 1, 10, "not replayed: it prints"));
    database.measured.push_back(measured(second, "b", launch, 1, 10));
    database.measured.push_back(measured(second, "", 0, 1, 0, "not tuned: it has no grain"));
  }
  SessionReport report = reportOf(database);
  ASSERT_EQ(report.notTuned.size(), 3u);
  EXPECT_EQ(report.notTuned[0].reason, "it prints");
  EXPECT_EQ(report.notTuned[1].reason, "the program ended before there were enough measurements");
  EXPECT_EQ(tableOf(report), "regrain tune: nothing was tuned: no launch was measured completely\n"
                             "not tuned, the original runs:\n"
                             "  k1111 a: it prints\n"
                             "  k2222 b: the program ended before there were enough measurements\n"
                             "  k2222: it has no grain\n");
}

TEST(SessionReport, NotTried_IsNamedWithTheBudgetForAll) {
  FakeDatabase database;
  auto add = [&](const std::string &launchClass, uint32_t launch, const std::string &alternative,
                 const std::string &outcome) {
    Measurement measurement = measured(first, launchClass, launch, 1, 0, outcome);
    measurement.alternative = alternative;
    database.measured.push_back(measurement);
  };
  for (const char *alternative : {"block.x=4", "thread.x=2", "block.x=8"})
    add("a", 0, alternative, "not tried: a budget of 45 s would try all");
  add("a", 1, "block.x=8", "not tried: a budget of 60 s would try all");
  add("a", 1, "block.x=4", "timed"); // the next launch went on with it
  for (int i = 2; i < 10; ++i)
    add("b", 0, "block.x=" + std::to_string(i), "not tried: a budget of 31 s would try all");
  SessionReport report = reportOf(database);
  ASSERT_EQ(report.notTried.size(), 2u);
  EXPECT_EQ(report.notTried[0].alternatives, (std::vector<std::string>{"thread.x=2", "block.x=8"}));
  std::string table = tableOf(report);
  EXPECT_NE(table.find("not tried, because the budget did not suffice:\n"
                       "  k1111 a: thread.x=2, block.x=8; --budget 60 would try all\n"
                       "  k1111 b: block.x=2, block.x=3, block.x=4, block.x=5, block.x=6, "
                       "block.x=7 and 2 more; --budget 31 would try all\n"),
            std::string::npos)
      << table;
  EXPECT_NE(toJson(report).find("\"budget_for_all_seconds\": 60"), std::string::npos);
}

TEST(ChoicesOf, UntriedCandidates_LeaveTheTimeOfTheClass) {
  FakeDatabase database;
  database.measured = {measured(first, "a", 0, 100, 10), measured(first, "b", 0, 10, 10),
                       measured(first, "a", 0, 1, 0, "not tried: a budget of 45 s would try all")};
  database.allOfChoices = {chosen(first, "a", "block.x=2"), chosen(first, "b", "block.x=4")};
  EXPECT_EQ(choicesOf(reportOf(database)).kernels[0].chosen, "block.x=2");
}

TEST(SessionReport, GaveUp_IsSaid) {
  FakeDatabase database;
  Outcome outcome;
  outcome.restarts = 2;
  outcome.gaveUp = "the budget is spent";
  EXPECT_EQ(
      tableOf(reportOf(database, outcome)),
      "regrain tune: nothing was tuned: no process of the run launched a kernel that has "
      "alternatives, or stored what it measured, started again 2 times\n"
      "tuning stopped: the budget is spent; the program then ran with the choices made so far\n");
}

TEST(ChoicesOf, ChosenIsWhatHasTheLargestShareOfTheTime) {
  FakeDatabase database;
  const std::string a = classOf(1), b = classOf(2), c = classOf(4);
  // "a" represents 10 launches of 10 us, "b" 1000 of 1 us, "c" 50 of 10 us.
  database.measured = {measured(first, a, 0, 10, 10), measured(first, b, 0, 500, 1),
                       measured(first, b, 0, 500, 1), // another candidate at that launch
                       measured(first, b, 7, 500, 1), measured(first, c, 0, 50, 10),
                       measured(second, a, 0, 1, 1)};
  database.allOfChoices = {chosen(first, a, "block.x=2"), chosen(first, b, "block.x=4"),
                           chosen(first, c, "block.x=2"), chosen(second, a, "original")};
  TunedChoices choices = choicesOf(reportOf(database));
  ASSERT_EQ(choices.kernels.size(), 2u);
  EXPECT_EQ(choices.kernels[0].alternatives, (std::vector<std::string>{"block.x=2", "block.x=4"}));
  EXPECT_EQ(choices.kernels[0].chosen, "block.x=4");
  EXPECT_EQ(choices.kernels[0].classes.size(), 3u);
  EXPECT_EQ(choices.kernels[0].classes[0].gain.low, 1.2);
  EXPECT_EQ(choices.kernels[0].classes[0].measuredOn, (MeasuredOn{"device", 8, "aa"}));
  EXPECT_TRUE(choices.kernels[1].alternatives.empty());
  EXPECT_EQ(choices.kernels[1].chosen, "original");
  database.measured[4].weight = 200; // now "a" and "c" together
  EXPECT_EQ(choicesOf(reportOf(database)).kernels[0].chosen, "block.x=2");
  EXPECT_TRUE(parseChoices(toJson(choices), "f"));
}

TEST(ChoicesOf, OfOtherDevices_OnlyWhereNothingWasMeasuredHere) {
  FakeDatabase database;
  TunedKernel elsewhere = first;
  elsewhere.device = "another device";
  database.measured = {measured(first, "a", 0, 1, 10)};
  database.allOfChoices = {chosen(elsewhere, "a", "block.x=8"), chosen(first, "a", "block.x=2")};
  TunedChoices choices = choicesOf(reportOf(database));
  ASSERT_EQ(choices.kernels.size(), 1u);
  EXPECT_EQ(choices.kernels[0].chosen, "block.x=2");
}

} // namespace
} // namespace regrain::tune
