//===- MachineTests.cpp - Launches that may not end -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Machine.h"

#include "gtest/gtest.h"
#include <csignal>

using namespace regrain;
using namespace regrain::fuzz;

namespace {

uint32_t *wordsOf(void *const *arguments) { return *static_cast<uint32_t *const *>(arguments[0]); }

void addBlock(void *const *arguments, RegrainCpuBlock *block) {
  wordsOf(arguments)[0] += block->blockIdx[0] + 1;
}

void waitForEver(void *const *arguments, RegrainCpuBlock *) {
  auto *word = static_cast<volatile uint32_t *>(wordsOf(arguments));
  while (*word != 99) {
  }
}

void die(void *const *, RegrainCpuBlock *) { std::raise(SIGSEGV); }

void writeBehind(void *const *arguments, RegrainCpuBlock *) { wordsOf(arguments)[4] = 1; }

/// Runs blocks on one buffer of four words, in a process of their own if they may wait.
llvm::Expected<Contents> run(void (*block)(void *const *, RegrainCpuBlock *), bool mayWait) {
  RegrainCpuKernel code = {};
  code.runBlock = block;
  Task task;
  task.shape = {{3, 1, 1}, {1, 1, 1}};
  task.buffers.push_back({"memory0", {5, 6, 7, 8}});
  task.parameters.push_back({0});
  task.mayWait = mayWait;
  DeviceKernel device;
  device.parameters.push_back({0, 8, true});
  ScaledLaunch scaled = {{task.shape.grid, task.shape.block, 0}, {}, 0};
  return launch(code, nullptr, task, device, scaled, Grain());
}

TEST(Machine, GivesWhatALaunchWrote) {
  for (bool mayWait : {false, true}) {
    llvm::Expected<Contents> got = run(addBlock, mayWait);
    ASSERT_TRUE(bool(got)) << llvm::toString(got.takeError());
    EXPECT_EQ(*got, (Contents{{5 + 1 + 2 + 3, 6, 7, 8}}));
  }
}

TEST(Machine, EndsALaunchThatWaitsForEver) {
  llvm::Error error = run(waitForEver, /*mayWait=*/true).takeError();
  EXPECT_TRUE(error.isA<WaitsForEver>());
  EXPECT_NE(llvm::toString(std::move(error)).find("waits for ever"), std::string::npos);
}

TEST(Machine, OutlivesALaunchThatDies) {
  for (auto *block : {die, writeBehind}) {
    llvm::Error error = run(block, /*mayWait=*/true).takeError();
    EXPECT_FALSE(error.isA<WaitsForEver>());
    EXPECT_EQ(llvm::toString(std::move(error)), "the launch died of signal 11");
  }
}

} // namespace
