//===- RepeatedFunctionsTests.cpp - Functions that are not copied ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/RepeatedFunctions.h"

#include "unittests/compiler/DeviceIR/Parse.h"
#include <set>

using namespace regrain;

namespace {

std::string repeat(const std::string &text, unsigned times) {
  std::string all;
  for (unsigned i = 0; i < times; ++i)
    all += text;
  return all;
}

/// Returns a function with `work` stores that makes `calls` calls of `callee`.
std::string function(const std::string &name, unsigned work, const std::string &callee = "",
                     unsigned calls = 0, const std::string &attribute = "noinline") {
  return "define void @" + name + "(ptr %p) " + attribute + " {\n" +
         repeat("  store volatile i32 0, ptr %p\n", work) +
         repeat("  call void @" + callee + "(ptr %p)\n", calls) + "  ret void\n}\n";
}

/// Returns the names that are found in functions and kernels with the names `kernels`.
std::set<std::string> found(const std::string &functions,
                            const std::vector<std::string> &kernels = {"kernel"}) {
  std::string text = functions, list;
  for (size_t i = 0; i < kernels.size(); ++i) {
    list += (i ? ", !" : "!") + std::to_string(i);
    text += "!" + std::to_string(i) + " = !{ptr @" + kernels[i] + ", !\"kernel\", i32 1}\n";
  }
  text += "!nvvm.annotations = !{" + list + "}\n";
  test::Parsed parsed{text.c_str()};
  std::set<std::string> names;
  for (const llvm::Function *each : findRepeatedFunctions(*parsed.module))
    names.insert(each->getName().str());
  return names;
}

using Names = std::set<std::string>;

TEST(RepeatedFunctions, LargeCopiesCountWhereTheProgramAsks) {
  EXPECT_EQ(found(function("f", 120) + function("kernel", 1, "f", 15)), Names{"f"});
  EXPECT_EQ(found(function("f", 120, "", 0, "") + function("kernel", 1, "f", 15)), Names{});
}

TEST(RepeatedFunctions, FewOrSmallCopiesAreMade) {
  EXPECT_EQ(found(function("f", 120) + function("kernel", 1, "f", 3)), Names{});
  EXPECT_EQ(found(function("f", 2000) + function("kernel", 1, "f", 1)), Names{});
  EXPECT_EQ(found(function("f", 20) + function("kernel", 1, "f", 500)), Names{});
}

TEST(RepeatedFunctions, CopiesOfCallersCount) {
  std::string between = function("f", 120) + function("g", 1, "f", 2, "");
  EXPECT_EQ(found(between + function("kernel", 1, "g", 7)), Names{"f"});
}

TEST(RepeatedFunctions, EachKernelCountsByItself) {
  std::string text = function("f", 120) + function("one", 1, "f", 4) + function("two", 1, "f", 4) +
                     function("three", 1, "f", 4);
  EXPECT_EQ(found(text, {"one", "two", "three"}), Names{});
}

TEST(RepeatedFunctions, AnInnerFunctionThatStaysIsACallInTheOuterOne) {
  std::string text = function("inner", 120) + function("outer", 10, "inner", 1);
  EXPECT_EQ(found(text + function("kernel", 1, "outer", 15)), Names{"inner"});
}

TEST(RepeatedFunctions, RecursionIsNoRepetition) {
  EXPECT_EQ(found(function("f", 120, "f", 2) + function("kernel", 1, "f", 15)), Names{});
}

TEST(RepeatedFunctions, ManyPathsDoNotOverflow) {
  std::string text = function("f0", 60);
  for (unsigned i = 1; i <= 80; ++i)
    text += function("f" + std::to_string(i), 0, "f" + std::to_string(i - 1), 2, "");
  EXPECT_EQ(found(text + function("kernel", 1, "f80", 1)), Names{"f0"});
}

} // namespace
