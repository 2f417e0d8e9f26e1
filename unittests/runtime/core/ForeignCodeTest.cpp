//===- core/ForeignCodeTest.cpp - PTX that a program loads ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/foreign_code.h"

#include "runtime/image/container.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace regrain;

namespace {

using Names = std::vector<std::string>;

constexpr const char *ptx = R"(// .entry commented
.version 7.8
.target sm_70 /* .entry also
commented */
.address_size 64
.extern .global .align 4 .b8 elsewhere[4];
.extern .func (.param .b32 func_retval0) vprintf (.param .b64 a, .param .b64 b);
.visible .global .align 4 .u32 counter;
.const .align 16 .b8 table[16] = {1, 2, 3};
.visible .entry _Z5scalePi(
  .param .u64 _Z5scalePi_param_0
)
.maxntid 256, 1, 1
{
  .reg .b32 %r<2>;
  { .global .u32 inner; }
  ret;
}
.weak .entry other()
{
  ret;
}
)";

TEST(ForeignCode, NamesOfPtx_AreFound) {
  PtxNames names = namesIn(ptx);
  EXPECT_EQ(names.kernels, (Names{"_Z5scalePi", "other"}));
  EXPECT_EQ(names.variables, (Names{"counter", "table"}));
}

TEST(ForeignCode, Ptx_BecomesAnImage) {
  std::vector<char> made = imageOfForeign(ptx);
  std::vector<uint64_t> aligned(made.size() / 8 + 1);
  std::memcpy(aligned.data(), made.data(), made.size());
  OpenedImage opened = openImage(aligned.data(), made.size());
  ASSERT_EQ(opened.status, ImageStatus::Ok) << opened.message;
  ASSERT_EQ(opened.image->kernels()->size(), 2u);
  EXPECT_EQ(opened.image->kernels()->Get(1)->symbol()->str(), "other");
  ASSERT_EQ(opened.image->modules()->size(), 1u);
  auto *code = opened.image->modules()->Get(0)->code();
  EXPECT_EQ(std::string(code->begin(), code->end()), std::string(ptx) + '\0');
}

TEST(ForeignCode, OtherCode_IsNoImage) {
  EXPECT_TRUE(imageOfForeign("this is no code").empty());
  EXPECT_TRUE(imageOfForeign("").empty());
}

} // namespace
