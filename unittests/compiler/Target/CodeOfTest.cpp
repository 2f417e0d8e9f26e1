//===- CodeOfTest.cpp - The code of a kernel without its name -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/Prune.h"
#include "compiler/Target/Registry/Registry.h"

#include <gtest/gtest.h>

using namespace regrain;

namespace {

std::optional<uint64_t> hashOf(const std::string &target, const std::string &text,
                               const std::string &symbol) {
  std::vector<std::string> warnings;
  auto selected = selectTargets({target}, CodeForm::Image, warnings);
  if (!selected) {
    ADD_FAILURE() << llvm::toString(selected.takeError());
    return std::nullopt;
  }
  return hashCode(*selected->front().target, {text.data(), text.size()}, symbol);
}

TEST(CodeOf, TheKernelsNameDoesNotEnterTheHash) {
  std::string a = ".visible .entry k__a(\n.param .u64 k__a_param_0\n)\n{\nret;\n}\n";
  std::string b = ".visible .entry k__bb(\n.param .u64 k__bb_param_0\n)\n{\nret;\n}\n";
  std::string c = ".visible .entry k__a(\n.param .u64 k__a_param_0\n)\n{\ntrap;\n}\n";
  EXPECT_EQ(hashOf("ptx", a, "k__a"), hashOf("ptx", b, "k__bb"));
  EXPECT_NE(hashOf("ptx", a, "k__a"), hashOf("ptx", c, "k__a"));
  EXPECT_EQ(hashOf("ptx", a, "other"), std::nullopt);
}

TEST(CodeOf, ADamagedFileHasNoHash) {
  EXPECT_EQ(hashOf("cpu",
                   "\x7f"
                   "ELF",
                   "k__a"),
            std::nullopt);
}

} // namespace
