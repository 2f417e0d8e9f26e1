//===- EndingTest.cpp - The end of a process ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Process/Ending.h"

#include <csignal>
#include <gtest/gtest.h>

namespace regrain::process {
namespace {

TEST(Ending, Signals_AreCrashesOrFromOutside) {
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
    EXPECT_TRUE(isCrash(signal)) << signal;
  for (int signal : {0, SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGXCPU, SIGPIPE, SIGALRM, SIGUSR1})
    EXPECT_FALSE(isCrash(signal)) << signal;
  EXPECT_EQ((Ending{.signal = SIGKILL}.lastSignal()), SIGKILL);
  EXPECT_EQ((Ending{.code = 137}.lastSignal()), SIGKILL);
  EXPECT_EQ((Ending{.code = 1}.lastSignal()), 0);
  EXPECT_EQ((Ending{.code = 128}.lastSignal()), 0);
  EXPECT_EQ((Ending{.code = 255}.lastSignal()), 0);
}

TEST(Ending, ExitCode) {
  EXPECT_EQ(Ending{.code = 3}.exitCode(), 3);
  EXPECT_EQ(Ending{.signal = SIGKILL}.exitCode(), 137);
  EXPECT_EQ(nameOfSignal(SIGABRT), "SIGABRT");
  EXPECT_EQ(nameOfSignal(63), "signal 63");
}

TEST(Ending, IsDescribedUnlessItIsASuccess) {
  EXPECT_EQ(describe({}), "");
  EXPECT_TRUE(Ending().isSuccess());
  EXPECT_EQ(describe({.code = 2}), "exit status 2");
  EXPECT_FALSE(Ending{.code = 2}.isSuccess());
  EXPECT_EQ(describe({.signal = SIGSEGV}), "signal 11 (Segmentation fault)");
  EXPECT_FALSE(Ending{.signal = SIGSEGV}.isSuccess());
}

} // namespace
} // namespace regrain::process
