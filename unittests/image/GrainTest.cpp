//===- image/GrainTest.cpp - The SPEC notation ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/grain.h"

#include <gtest/gtest.h>

using namespace regrain;

namespace {

Grain parsed(std::string_view text) {
  std::string error;
  std::optional<GrainSpec> spec = parseGrainSpec(text, error);
  EXPECT_TRUE(spec) << text << ": " << error;
  return spec ? balance(*spec, {true, true, true}, {true, true, true}) : Grain();
}

std::string errorOf(std::string_view text) {
  std::string error;
  EXPECT_FALSE(parseGrainSpec(text, error)) << text;
  return error;
}

TEST(GrainSpec, PerDimension_IsCanonical) {
  EXPECT_EQ(toString(parsed("thread.y=2,block.x=4")), "block.x=4,thread.y=2");
  EXPECT_EQ(toString(parsed("block.z=3,block.x=1")), "block.z=3");
  EXPECT_EQ(toString(parsed("original")), "original");
  EXPECT_EQ(toString(parsed("block.x=1")), "original");
}

TEST(GrainSpec, SymbolSuffix) {
  EXPECT_EQ(toSymbolSuffix(parsed("thread.y=2,block.x=4")), "block_x4_thread_y2");
  EXPECT_EQ(toSymbolSuffix(Grain()), "original");
}

TEST(GrainSpec, CanonicalForm_ParsesToItself) {
  for (const char *text : {"block.x=7", "thread.z=16", "block.x=2,block.y=3,thread.x=32"})
    EXPECT_EQ(toString(parsed(text)), text);
}

TEST(GrainSpec, Totals_AreBalancedOverUsedDimensions) {
  std::string error;
  GrainSpec twelve = *parseGrainSpec("block=12,thread=8", error);
  Grain grain = balance(twelve, {true, true, false}, {true, false, false});
  // 3 to x, then 2 and 2 to y, the smaller each time.
  EXPECT_EQ(toString(grain), "block.x=3,block.y=4,thread.x=8");
  EXPECT_EQ(toString(balance(*parseGrainSpec("block=7", error), {true, true, true}, {})),
            "block.x=7");
  EXPECT_EQ(toString(balance(*parseGrainSpec("block=4", error), {}, {})), "block.x=4");
}

TEST(GrainSpec, Errors_NameTheWrongPiece) {
  EXPECT_EQ(errorOf("block.x=0"), "'block.x=0' needs a whole number of at least 1");
  EXPECT_EQ(errorOf("block.x=-1"), "'block.x=-1' needs a whole number of at least 1");
  EXPECT_EQ(errorOf("block.x=99999999999"),
            "'block.x=99999999999' needs a whole number of at least 1");
  EXPECT_EQ(errorOf("block.w=2"), "'block.w=2': there is no dimension 'w'; x, y or z is meant");
  EXPECT_EQ(errorOf("warp.x=2"), "'warp.x=2' names neither block nor thread");
  EXPECT_EQ(errorOf("block.x"), "'block.x' has no '='");
  EXPECT_EQ(errorOf("block.=2"), "'block.=2' lacks a dimension after '.'");
  EXPECT_EQ(errorOf("block.x=2,"), "'' has no '='");
  EXPECT_EQ(errorOf("block.x=2,block.x=4"), "'block.x=4': block.x is given twice");
  EXPECT_EQ(errorOf("block=2,block.x=4"),
            "'block.x=4': block is given both in total and per dimension");
  EXPECT_NE(errorOf("").find("empty"), std::string::npos);
}

TEST(GrainRequest, SplitsAtTheLastColon) {
  std::string error;
  auto request = parseGrainRequest("ns::k*:block.x=2", error);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->glob, "ns::k*");
  EXPECT_EQ(request->spec, "block.x=2");
}

TEST(GrainRequest, Errors) {
  std::string error;
  EXPECT_FALSE(parseGrainRequest("kernel", error));
  EXPECT_EQ(error, "'kernel' has no ':' between the kernel and the grain");
  EXPECT_FALSE(parseGrainRequest(":block.x=2", error));
  EXPECT_EQ(error, "':block.x=2' names no kernel before ':'");
  EXPECT_FALSE(parseGrainRequest("kernel:", error));
  EXPECT_EQ(error, "'kernel:' names no grain after ':'");
}

TEST(MatchesKernel, GlobWithoutParentheses_IgnoresParameters) {
  EXPECT_TRUE(matchesKernel("saxpy", "saxpy(float, float*)"));
  EXPECT_TRUE(matchesKernel("sax*", "saxpy(float, float*)"));
  EXPECT_FALSE(matchesKernel("sax", "saxpy(float, float*)"));
  EXPECT_FALSE(matchesKernel("*float*", "saxpy(float, float*)"));
  EXPECT_TRUE(matchesKernel("k?", "k1(int)"));
  EXPECT_TRUE(matchesKernel("k[0-9]", "k1(int)"));
  EXPECT_TRUE(matchesKernel("plain", "plain"));
}

TEST(MatchesKernel, Template_WithAndWithoutReturnType) {
  const char *name = "void f<int>(float*)";
  EXPECT_TRUE(matchesKernel("f<int>", name));
  EXPECT_TRUE(matchesKernel("void f<int>", name));
  EXPECT_TRUE(matchesKernel("f<*>", name));
  EXPECT_TRUE(matchesKernel("f<int>(float[*])", name));
  EXPECT_FALSE(matchesKernel("f<float>", name));
}

TEST(MatchesKernel, ParenthesesInsideTheName) {
  EXPECT_TRUE(matchesKernel("*::k", "(anonymous namespace)::k(int)"));
  EXPECT_TRUE(matchesKernel("f<*>", "void f<(Mode)1>(void (*)(int))"));
}

TEST(MatchesKernel, GlobWithParentheses_SeesTheParameters) {
  EXPECT_TRUE(matchesKernel("saxpy(float*", "saxpy(float, float*)"));
  EXPECT_FALSE(matchesKernel("saxpy(double*", "saxpy(float, float*)"));
}

} // namespace
