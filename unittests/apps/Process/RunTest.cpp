//===- RunTest.cpp - Commands with a time limit ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Process/Run.h"
#include "apps/Process/Child.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <stdlib.h>
#include <thread>

namespace fs = std::filesystem;

namespace regrain::process {
namespace {

/// Returns whether the process ends within ten seconds.
bool isGone(pid_t process) {
  for (int i = 0; i < 1000; ++i) {
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    std::string number, name, state;
    if (!(stat >> number >> name >> state) || state == "Z" || state == "X")
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

/// A test with a folder of its own.
class RunTest : public testing::Test {
protected:
  RunTest() {
    std::string pattern = (fs::temp_directory_path() / "regrain-run-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  ~RunTest() override {
    std::error_code ignored; // a temporary folder that remains does no harm
    fs::remove_all(folder, ignored);
  }
  Command shell(const std::string &script, unsigned limit = 60) const {
    return {{"sh", "-c", script}, folder,           {"PATH=/usr/bin:/bin", "WORD=here"},
            folder / "out",       folder / "error", limit};
  }
  std::string contents(const char *name) const {
    std::ifstream stream(folder / name);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  fs::path folder;
};

TEST_F(RunTest, Success_HasItsOutputEnvironmentAndFolder) {
  Ended ended = run(shell("echo $WORD $HOME; pwd >&2; read line"));
  EXPECT_EQ(ended.how, "exit status 1") << "it read something";
  EXPECT_EQ(contents("out"), "here\n");
  EXPECT_EQ(fs::canonical(contents("error").substr(0, contents("error").find('\n'))),
            fs::canonical(folder));
  ended = run(shell("exit 0"));
  EXPECT_TRUE(ended.succeeded);
  EXPECT_EQ(ended.how, "");
}

TEST_F(RunTest, OneFile_TakesBothOutputs) {
  Command command = shell("echo a; echo b >&2");
  command.error = command.out;
  EXPECT_TRUE(run(command).succeeded);
  EXPECT_EQ(contents("out"), "a\nb\n");
}

TEST_F(RunTest, Failures_AreDescribed) {
  EXPECT_EQ(run(shell("exit 3")).how, "exit status 3");
  EXPECT_EQ(run(shell("kill -SEGV $$")).how, "signal 11 (Segmentation fault)");
  Command command = shell("");
  command.folder = folder / "none";
  Ended ended = run(command);
  EXPECT_FALSE(ended.succeeded);
  EXPECT_EQ(ended.how, "cannot be started: No such file or directory");
}

TEST_F(RunTest, Limit_EndsItWithItsDescendants) {
  Ended ended = run(shell("sleep 600 & echo $! > child; wait", 1));
  EXPECT_FALSE(ended.succeeded);
  EXPECT_FALSE(ended.inTime);
  EXPECT_EQ(ended.how, "still running after 1 s");
  EXPECT_TRUE(isGone(std::stoi(contents("child"))));
}

TEST_F(RunTest, WhatItLeaves_IsKilled) {
  EXPECT_TRUE(run(shell("sleep 600 & echo $! > child")).succeeded);
  EXPECT_TRUE(isGone(std::stoi(contents("child"))));
}

TEST(Environment, OwnVariablesReplaceAndSomeAreHidden) {
  ::setenv("REGRAIN_TEST_A", "old", 1);
  ::setenv("REGRAIN_TEST_B", "old", 1);
  std::vector<std::string> environment = environmentWith(
      {"REGRAIN_TEST_A=new"}, [](std::string_view name) { return name == "REGRAIN_TEST_B"; });
  auto countOf = [&](std::string_view name) {
    return std::count_if(environment.begin(), environment.end(),
                         [&](const std::string &variable) { return variable.starts_with(name); });
  };
  EXPECT_EQ(environment.front(), "REGRAIN_TEST_A=new");
  EXPECT_EQ(countOf("REGRAIN_TEST_A="), 1);
  EXPECT_EQ(countOf("REGRAIN_TEST_B="), 0);
  EXPECT_EQ(countOf("PATH="), 1);
  ::unsetenv("REGRAIN_TEST_A");
  ::unsetenv("REGRAIN_TEST_B");
}

TEST(Child, ProgramThatIsNotThere_IsAnErrno) {
  Child child;
  EXPECT_EQ(child.start({.command = {"regrain-no-such-program"}, .environment = {}}), ENOENT);
}

TEST(Child, Signal_EndsIt) {
  Child child;
  ASSERT_EQ(child.start({.command = {"sleep", "600"}, .environment = {}}), 0);
  EXPECT_FALSE(child.waitFor(std::chrono::milliseconds(10)));
  child.send(SIGTERM);
  EXPECT_TRUE(child.waitFor(std::chrono::seconds(60)));
  EXPECT_EQ(child.reap().signal, SIGTERM);
}

} // namespace
} // namespace regrain::process
