//===- NearestTest.cpp - The name that was probably meant -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Help/Nearest.h"
#include <gtest/gtest.h>

namespace regrain::help {
namespace {

TEST(DidYouMean, NamesTheNearest) {
  EXPECT_EQ(didYouMean("tume", {"cc", "tune", "suite"}), "; did you mean 'tune'?");
  EXPECT_EQ(didYouMean("--buget", {"--budget", "--json"}), "; did you mean '--budget'?");
}

TEST(DidYouMean, NamesNothingThatIsUnlike) {
  EXPECT_EQ(didYouMean("nonsense", {"cc", "tune", "suite"}), "");
  EXPECT_EQ(didYouMean("xy", {"cc", "db"}), "");
  EXPECT_EQ(didYouMean("tune", {}), "");
}

} // namespace
} // namespace regrain::help
