//===- WatchTest.cpp - The candidate that runs or broke a run -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/Watch.h"

#include "runtime/tuning/tune_request.h"

#include "unittests/apps/Tune/FakeDatabase.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace regrain::tune {
namespace {

const TunedKernel kernel = {"ff", "aa", "device", 8, 1, "regrain"};

/// A process below this one that waits to be killed.
class Waiting {
public:
  Waiting() : process(::fork()) {
    if (process == 0)
      for (;;)
        ::pause();
  }
  ~Waiting() { end(); }
  void end() {
    if (process > 0) {
      ::kill(process, SIGKILL);
      ::waitpid(process, nullptr, 0);
    }
    process = -1;
  }
  pid_t process;
};

Underway rowOf(pid_t process, const std::string &alternative = "block.x=2") {
  return {kernel, "k(int)", "class", alternative, "s", process, 1000, 2000};
}

std::vector<std::string> alternatives(const Blame &blame) {
  std::vector<std::string> result;
  for (const Underway &row : blame.candidates)
    result.push_back(row.alternative);
  return result;
}

TEST(Watch, HangsOnlyAfterItsLimitIsSeenToPass) {
  FakeDatabase database;
  Waiting program;
  database.rows = {rowOf(program.process)};
  Watch watch(database, "s");
  ASSERT_TRUE(watch.look(50)) << "what passed before it was seen does not count";
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(watch.whileRunning().candidates.empty()) << i;
    ASSERT_TRUE(watch.look(0.5));
  }
  EXPECT_EQ(watch.longest(), 2);
  ASSERT_TRUE(watch.look(0.1));
  EXPECT_EQ(alternatives(watch.whileRunning()), std::vector<std::string>{"block.x=2"});
  EXPECT_EQ(watch.whileRunning().reason, "ran longer than 2 s");
  Measurement measurement;
  measurement.kernel = kernel;
  measurement.launchClass = "class";
  measurement.originalMicroseconds = 12500;
  database.measured = {measurement};
  EXPECT_EQ(watch.whileRunning().reason, "ran longer than 2 s; the original takes 0.0125 s");
}

TEST(Watch, StoppedForAWhile_IsNoHang) {
  FakeDatabase database;
  Waiting program;
  database.rows = {rowOf(program.process)};
  Watch watch(database, "s");
  ASSERT_TRUE(watch.look(0));
  ASSERT_TRUE(watch.look(3600));
  EXPECT_TRUE(watch.whileRunning().candidates.empty());
}

TEST(Watch, NextCandidate_BeginsAnew) {
  FakeDatabase database;
  Waiting program;
  Watch watch(database, "s");
  for (int i = 0; i < 10; ++i) {
    database.rows = {rowOf(program.process, "block.x=" + std::to_string(i / 2))};
    ASSERT_TRUE(watch.look(0.9));
    EXPECT_TRUE(watch.whileRunning().candidates.empty());
  }
}

TEST(Watch, ProcessThatIsGone_OnlyWhereItWasSeen) {
  FakeDatabase database;
  Waiting below;
  Underway elsewhere = rowOf(1, "block.x=4"); // alive, but not below this process
  database.rows = {rowOf(below.process), elsewhere};
  Watch watch(database, "s");
  ASSERT_TRUE(watch.look(0.05));
  EXPECT_TRUE(watch.whileRunning().candidates.empty());
  below.end();
  ASSERT_TRUE(watch.look(0.05));
  EXPECT_EQ(alternatives(watch.whileRunning()), std::vector<std::string>{"block.x=2"});
  EXPECT_EQ(watch.whileRunning().reason, "the process ended while it ran");
}

TEST(Watch, Confirm_BlamesWhoIsFoundTwice) {
  FakeDatabase database;
  Watch watch(database, "s");
  Blame uncertain = {{rowOf(7, "block.x=2"), rowOf(8, "block.x=4")}, "it ended", false};
  EXPECT_TRUE(watch.confirm(uncertain).candidates.empty());
  uncertain.candidates = {rowOf(9, "block.x=4"), rowOf(9, "block.x=8")};
  Blame second = watch.confirm(uncertain);
  EXPECT_EQ(alternatives(second), std::vector<std::string>{"block.x=4"});
  EXPECT_EQ(second.reason, "it ended, twice");
  EXPECT_EQ(alternatives(watch.confirm({{rowOf(9, "thread.x=2")}, "crash", true})),
            std::vector<std::string>{"thread.x=2"});
}

TEST(Watch, AtEnd_BlamesWhatIsGoneButNotWhatLives) {
  FakeDatabase database;
  Waiting other;
  database.rows = {rowOf(7, "block.x=2"), rowOf(other.process, "block.x=4"),
                   rowOf(999999, "block.x=8")};
  Watch watch(database, "s");
  ASSERT_TRUE(watch.look(0));
  Blame signalled = watch.atEnd(7, {.signal = SIGSEGV});
  EXPECT_EQ(alternatives(signalled), (std::vector<std::string>{"block.x=2", "block.x=8"}));
  EXPECT_EQ(signalled.reason, "killed by SIGSEGV while it ran");
  EXPECT_TRUE(signalled.isCertain);
  Blame exited = watch.atEnd(7, {.code = 3});
  EXPECT_EQ(exited.reason, "the program ended with exit code 3 while it ran");
  EXPECT_FALSE(exited.isCertain) << "another thread may have ended it";
  Blame byShell = watch.atEnd(7, {.code = 128 + SIGBUS});
  EXPECT_EQ(byShell.reason, "killed by SIGBUS while it ran");
  EXPECT_TRUE(byShell.isCertain);
  EXPECT_TRUE(watch.atEnd(7, {.code = gaveUpExitCode}).isCertain) << "its device is gone";
  EXPECT_EQ(alternatives(watch.atEnd(7, {.code = 0})), std::vector<std::string>{"block.x=8"})
      << "the program has come to its end in another thread";
}

TEST(Watch, Clear_LeavesWhatLives) {
  FakeDatabase database;
  Waiting other;
  database.rows = {rowOf(999999), rowOf(other.process)};
  Watch watch(database, "s");
  ASSERT_TRUE(watch.clear());
  EXPECT_EQ(database.rows, std::vector{rowOf(other.process)});
}

TEST(Watch, DatabaseThatCannotBeRead_IsAnError) {
  FakeDatabase database;
  database.error = "disk on fire";
  Watch watch(database, "s");
  EXPECT_EQ(watch.look(1).error(), "disk on fire");
  EXPECT_TRUE(watch.whileRunning().candidates.empty());
  EXPECT_EQ(watch.clear().error(), "disk on fire");
}

TEST(Exclude, PutsEachCandidate) {
  FakeDatabase database;
  EXPECT_TRUE(exclude(database, {{rowOf(1, "a"), rowOf(2, "b")}, "why"}));
  ASSERT_EQ(database.excluded.size(), 2u);
  EXPECT_EQ(database.excluded[1], (Exclusion{kernel, "k(int)", "b", "why", ""}));
  EXPECT_TRUE(exclude(database, {{rowOf(1, "b"), rowOf(1, "c")}, "another reason"}));
  ASSERT_EQ(database.excluded.size(), 3u);
  EXPECT_EQ(database.excluded[1].reason, "why");
}

} // namespace
} // namespace regrain::tune
