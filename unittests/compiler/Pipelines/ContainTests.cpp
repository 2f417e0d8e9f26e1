//===- ContainTests.cpp - Failures of LLVM do not end the process ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/Contain.h"

#include "llvm/Support/ErrorHandling.h"
#include <csignal>
#include <gtest/gtest.h>
#include <thread>

using namespace regrain;

namespace {

std::string messageOf(llvm::function_ref<llvm::Error()> work) {
  return llvm::toString(runContained(work));
}

TEST(Contain, WhatEndsIsHandedOn) {
  EXPECT_EQ(messageOf([] { return llvm::Error::success(); }), "");
  EXPECT_EQ(messageOf([] { return llvm::createStringError("no such thing"); }), "no such thing");
}

TEST(Contain, AFatalErrorIsAnError) {
  EXPECT_EQ(messageOf([]() -> llvm::Error { llvm::report_fatal_error("cannot select"); }),
            "LLVM stopped with an internal error: cannot select");
  // The next message does not mention it.
  EXPECT_EQ(messageOf([] { return llvm::createStringError("other"); }), "other");
}

TEST(Contain, ACrashIsAnError) {
  auto crash = []() -> llvm::Error {
    std::raise(SIGSEGV);
    return llvm::Error::success();
  };
  EXPECT_EQ(messageOf(crash), "LLVM crashed: Segmentation fault");
  EXPECT_EQ(messageOf(crash), "LLVM crashed: Segmentation fault") << "a second time";
}

TEST(Contain, ThreadsFailEachForItself) {
  std::string messages[8];
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([i, &message = messages[i]] {
      message = messageOf([i]() -> llvm::Error {
        if (i % 2)
          llvm::report_fatal_error(llvm::Twine(i));
        return llvm::Error::success();
      });
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(messages[i],
              i % 2 ? "LLVM stopped with an internal error: " + std::to_string(i) : "");
}

TEST(ContainDeathTest, ElsewhereAFatalErrorEndsTheProcess) {
  EXPECT_EQ(messageOf([] { return llvm::Error::success(); }), "");
  EXPECT_DEATH(llvm::report_fatal_error("not ours"), "LLVM: error: not ours");
}

} // namespace
