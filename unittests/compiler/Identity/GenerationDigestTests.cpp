//===- GenerationDigestTests.cpp - Digests of code generation -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Identity/GenerationDigest.h"

#include "compiler/Target/CPU/CPU.h"
#include "compiler/Target/NVPTX/NVPTX.h"
#include <functional>
#include <gtest/gtest.h>

using namespace regrain;

namespace {

std::string digest(const Target &target, const CodegenOptions &options = {}) {
  llvm::Expected<std::vector<CodeInput>> inputs = target.inputs(options);
  EXPECT_TRUE(bool(inputs));
  return digestOf(*inputs);
}

std::string digestWith(const Target &target, const std::function<void(CodegenOptions &)> &change) {
  CodegenOptions options;
  change(options);
  return digest(target, options);
}

std::unique_ptr<Target> nvidia(llvm::StringRef name) {
  auto target = createNVPTXTarget(name);
  EXPECT_TRUE(bool(target));
  return std::move(*target);
}

TEST(GenerationDigest, IsHexadecimalOf128Bits) {
  std::string text = digestOf({{"a", "b"}});
  EXPECT_EQ(text.size(), 32u);
  EXPECT_EQ(text.find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(GenerationDigest, TheOrderDoesNotChangeIt) {
  EXPECT_EQ(digestOf({{"a", "1"}, {"b", "2"}}), digestOf({{"b", "2"}, {"a", "1"}}));
  EXPECT_NE(digestOf({{"a", "1"}, {"b", "2"}}), digestOf({{"a", "2"}, {"b", "1"}}));
  EXPECT_NE(digestOf({{"a", "12"}}), digestOf({{"a", "1"}, {"2", ""}})) << "nothing runs together";
  EXPECT_NE(digestOf({{"a", "1"}}), digestOf({{"a1", ""}}));
}

TEST(GenerationDigest, WhatChangesTheCodeChangesIt) {
  std::unique_ptr<Target> ptx = nvidia("compute_90");
  std::vector<std::string> all = {
      digest(*ptx),
      digest(*nvidia("compute_80")),
      digest(CPUTarget()),
      digest(CPUTarget({.level = CPULevel::V4})),
      digestWith(*ptx, [](CodegenOptions &options) { options.optLevel = 0; }),
      digestWith(CPUTarget(), [](CodegenOptions &options) { options.optLevel = 0; }),
      digestWith(*ptx, [](CodegenOptions &options) { options.maxRegisters = 16; }),
      digestWith(*ptx, [](CodegenOptions &options) { options.fuseMultiplyAdd = false; }),
      digestWith(*ptx, [](CodegenOptions &options) { options.fastMath = true; })};
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      EXPECT_NE(all[i], all[j]) << i << " and " << j;
}

TEST(GenerationDigest, WhatLeavesTheCodeAsItIsDoesNot) {
  std::unique_ptr<Target> ptx = nvidia("compute_90");
  EXPECT_EQ(digest(*ptx), digestWith(*ptx, [](CodegenOptions &options) {
              options.debugInfo = DebugInfo::Lines;
            }));
  EXPECT_EQ(digest(*ptx),
            digestWith(*ptx, [](CodegenOptions &options) { options.verbose = true; }));
  EXPECT_EQ(digest(CPUTarget()),
            digestWith(CPUTarget(), [](CodegenOptions &options) { options.maxRegisters = 16; }))
      << "the CPU target does not heed it";
  EXPECT_EQ(digest(*ptx),
            digestWith(*ptx, [](CodegenOptions &options) { options.ptxasArgs = {"-dlcm=ca"}; }))
      << "no assembler runs";
}

} // namespace
