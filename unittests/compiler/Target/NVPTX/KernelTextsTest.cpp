//===- KernelTextsTest.cpp - The kernels of a PTX module ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/PtxText/KernelTexts.h"

#include "compiler/Target/NVPTX/PtxText/CompanionText.h"
#include "gtest/gtest.h"

using namespace regrain;
using namespace regrain::nvptx;

namespace {

constexpr llvm::StringLiteral header = ".version 8.4\n.target sm_90\n.address_size 64\n"
                                       ".global .align 4 .u32 counter;\n";

/// A kernel with a brace at the start of a line, as inline assembly may have it.
std::string kernel(const std::string &name, const std::string &code) {
  return "// .globl " + name + "\n.visible .entry " + name + "()\n{\n{\n" + code + "\n}\n}\n";
}

llvm::StringSet<> names(std::initializer_list<llvm::StringRef> list) {
  llvm::StringSet<> set;
  set.insert(list.begin(), list.end());
  return set;
}

TEST(KernelTexts, ChosenKernels_AreTakenFromTheOtherText) {
  std::string first = header.str() + kernel("a", "ret;") + kernel("b", "ret;");
  std::string other = header.str() + kernel("a", "bar.sync 0;") + kernel("b", "exit;");
  EXPECT_EQ(withKernelsOf(first, other, names({})), first);
  EXPECT_EQ(withKernelsOf(first, other, names({"a", "b"})), other);
  EXPECT_EQ(withKernelsOf(first, other, names({"b"})),
            header.str() + kernel("a", "ret;") + kernel("b", "exit;"));
}

TEST(KernelTexts, TextsThatDifferElsewhere_AreNotMixed) {
  std::string first = header.str() + kernel("a", "ret;");
  std::string function = ".func f()\n{\nret;\n}\n", otherFunction = ".func f()\n{\nexit;\n}\n";
  EXPECT_EQ(withKernelsOf(first + function, first + otherFunction, names({"a"})), std::nullopt);
  EXPECT_EQ(withKernelsOf(first, first + kernel("b", "ret;"), names({"a"})), std::nullopt);
  EXPECT_EQ(withKernelsOf(first + ".unknown x;\n", first + ".unknown x;\n", names({"a"})),
            std::nullopt);
}

TEST(KernelTexts, OtherKernels_AreLeftOutUnlessSomethingNamesThem) {
  std::string a = kernel("a", "ret;"), b = kernel("b", "mov.u64 %rd1, c;"), c = kernel("c", "ret;");
  std::string text = header.str() + a + b + c;
  std::string left = *onlyKernels(text, names({"b"}));
  EXPECT_EQ(left.find(".entry a"), std::string::npos);
  EXPECT_NE(left.find(b), std::string::npos);
  EXPECT_NE(left.find(c), std::string::npos) << "b names it";
  EXPECT_NE(left.find("counter"), std::string::npos);
}

TEST(KernelTexts, LimitsOfRegisters_StandInFrontOfTheCode) {
  std::string a = kernel("a", "ret;"), c = ".entry c()\n.maxnreg 32\n{\nret;\n}\n",
              d = ".entry d()\n.maxntid 64\n.minnctapersm 4\n{\nret;\n}\n";
  std::string text = header.str() + a + kernel("b", "ret;") + c + d;
  std::string limited = "// .globl b\n.visible .entry b()\n.maxnreg 40\n{\n{\nret;\n}\n}\n";
  EXPECT_EQ(withRegisterLimits(text, {{"b", 40}, {"c", 40}, {"d", 40}}),
            header.str() + a + limited + c + d)
      << "c and d have bounds of their own";
  EXPECT_EQ(withRegisterLimits(text + ".unknown x;\n", {{"a", 40}}), std::nullopt);
}

TEST(KernelTexts, CompanionsKernels_HaveWhatTheyReach) {
  CompanionCode both;
  both.text = ".global .align 4 .u32 table = 1;\n.func f()\n{\nmov.u64 %rd1, table;\n}\n"
              ".func g()\n{\nret;\n}\n" +
              kernel("a", "call f;") + kernel("b", "call g;");
  both.kernels = {{"a", "original_a"}, {"b", "original_b"}};
  CompanionCode some = *onlyKernels(both, names({"a"}));
  ASSERT_EQ(some.kernels.size(), 1u);
  EXPECT_EQ(some.kernels.front().original, "original_a");
  for (llvm::StringRef part : {"table = 1;", ".func f()", ".entry a"})
    EXPECT_NE(some.text.find(part), std::string::npos) << part.str();
  for (llvm::StringRef part : {".func g()", ".entry b"})
    EXPECT_EQ(some.text.find(part), std::string::npos) << part.str();
}

} // namespace
