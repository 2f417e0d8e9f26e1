//===- PtxVersionTest.cpp - The lowest PTX version for code ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/PtxText/PtxVersion.h"

#include "unittests/compiler/Target/NVPTX/Compile.h"

using namespace regrain;
using namespace regrain::test;

namespace {

/// Returns the version of a kernel whose body is `body`.
std::string versionOf(const std::string &body, const std::string &target = "ptx") {
  Request request;
  request.target = target;
  Result result = compile("define void @k(ptr %p, i32 %i) {\n" + body + R"(
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1})",
                          request);
  EXPECT_EQ(result.error, "");
  std::string text = result.text();
  size_t start = text.find(".version ") + strlen(".version ");
  return text.substr(start, text.find('\n', start) - start);
}

std::string assembly(const std::string &text) {
  return "call void asm sideeffect \"" + text + "\", \"\"()";
}

TEST(PtxVersion, PlainCode_HasTheLowestOfItsChip) {
  EXPECT_EQ(versionOf(""), "6.0");
  EXPECT_EQ(versionOf("", "compute_75"), "6.3");
  EXPECT_EQ(versionOf("", "compute_90"), "7.8");
}

TEST(PtxVersion, NewerChipThanLLVMKnows_IsTheTarget) {
  Request request;
  request.target = "compute_120";
  Result result = compile(R"(
define void @k() { ret void }
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1})",
                          request);
  EXPECT_TRUE(result.has(".version 8.7\n.target sm_120\n")) << result.text();
}

TEST(PtxVersion, Intrinsics_RaiseIt) {
  EXPECT_EQ(versionOf("call void @llvm.nvvm.barrier0()"), "6.0");
  EXPECT_EQ(versionOf("call void @llvm.nvvm.nanosleep(i32 1)"), "6.3");
}

TEST(PtxVersion, InlineAssembly_RaisesIt) {
  EXPECT_EQ(versionOf(assembly("bar.sync 0;")), "6.0");
  EXPECT_EQ(versionOf(assembly("{ .reg .u32 a; activemask.b32 a; }")), "6.2");
  EXPECT_EQ(versionOf(assembly("{\\0A\\09.reg .pred p;\\0A\\09@p nanosleep.u32 1;\\0A}")), "6.3");
  EXPECT_EQ(versionOf(assembly("cp.async.commit_group;")), "7.0");
  EXPECT_EQ(versionOf(assembly("ld.global.L2::128B.u32 r, [q];")), "7.4");
  EXPECT_EQ(versionOf(assembly("max.s16x2 a, b, c;")), "8.0");
  EXPECT_EQ(versionOf(assembly("atom.relaxed.gpu.exch.b128 a, [p], b;"), "compute_90"), "8.3");
  EXPECT_EQ(versionOf(assembly("atom.relaxed.sys.exch.b128 a, [p], b;"), "compute_90"), "8.4");
}

TEST(PtxVersion, LargeParameters_RaiseIt) {
  auto versionFor = [](const std::string &bytes) {
    Request request;
    request.target = "ptx";
    Result result = compile("define void @k(ptr byval([" + bytes + R"( x i8]) %p) { ret void }
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1})",
                            request);
    return result.has(".version 8.1") ? "8.1" : result.has(".version 6.0") ? "6.0" : "another";
  };
  EXPECT_EQ(versionFor("4352"), "6.0");
  EXPECT_EQ(versionFor("4353"), "8.1");
}

TEST(PtxVersion, OperandsInBraces_AreNoInstructions) {
  EXPECT_EQ(versionOf(assembly("{ .reg .u32 a, b; .reg .u64 c; mov.b64 {a,b}, c; }")), "6.0");
}

TEST(PtxVersion, Labels_AreNoInstructions) {
  EXPECT_EQ(versionOf(assembly("again: bra again;")), "6.0");
}

TEST(PtxVersion, UnknownInstruction_HasTheNewest) {
  EXPECT_EQ(versionOf(assembly("frobnicate.u32 a;")), "8.5");
}

} // namespace
