//===- cudart/Main.cpp - Runs the tests on the CPU ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <cstdlib>
#include <gtest/gtest.h>

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  // A test of the environment runs in a fresh process.
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  setenv("REGRAIN_DEVICE", "cpu", /*overwrite=*/1);
  setenv("REGRAIN_NUM_THREADS", "3", /*overwrite=*/1);
  return RUN_ALL_TESTS();
}
