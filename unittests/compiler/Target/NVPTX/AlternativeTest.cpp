//===- AlternativeTest.cpp - PTX of alternatives --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/compiler/Target/NVPTX/Compile.h"

using namespace regrain;
using namespace regrain::test;

namespace {

Result compileAlternative(const char *ir) {
  Request request;
  request.alternative = true;
  return compile(ir, request);
}

TEST(NVPTXAlternative, Variable_IsReachedThroughItsSlot) {
  Result result = compileAlternative(R"(
@counter = external addrspace(1) global i32, align 4
define void @k(i32 %n) {
  %old = atomicrmw add ptr addrspacecast (ptr addrspace(1) @counter to ptr), i32 %n seq_cst
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1})");
  ASSERT_EQ(result.error, "");
  EXPECT_FALSE(result.module.kernels[0].refusal);
  EXPECT_TRUE(result.has(".visible .const .align 8 .u64 __regrain_address_of_counter"))
      << result.text();
  EXPECT_TRUE(result.has("ld.const.u64"));
  EXPECT_TRUE(result.has("[__regrain_address_of_counter]"));
  EXPECT_TRUE(result.has("atom.global.add.u32")) << "the address space is known";
  EXPECT_FALSE(result.has(".extern"));
}

TEST(NVPTXAlternative, ConstantVariable_IsReadThroughGlobalMemory) {
  Result result = compileAlternative(R"(
@table = external addrspace(4) global [16 x float], align 4
define void @k(ptr %out, i64 %i) {
  %p = getelementptr [16 x float], ptr addrspacecast (ptr addrspace(4) @table to ptr), i64 0, i64 %i
  %v = load float, ptr %p
  %q = getelementptr [16 x float], ptr addrspace(4) @table, i64 0, i64 3
  %w = load float, ptr addrspace(4) %q
  %s = fadd float %v, %w
  store float %s, ptr %out
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1})");
  ASSERT_EQ(result.error, "");
  EXPECT_TRUE(result.has("ld.global.nc.f32")) << result.text();
  EXPECT_FALSE(result.has("ld.const.f32"));
}

TEST(NVPTXAlternative, FunctionsThatReadVariables_LoadTheSlotThemselves) {
  Result result = compileAlternative(R"(
@v = external addrspace(1) global i32, align 4
define internal i32 @helper() noinline {
  %x = load i32, ptr addrspace(1) @v
  ret i32 %x
}
define void @k(ptr %out) {
  %x = call i32 @helper()
  store i32 %x, ptr %out
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1})");
  EXPECT_FALSE(result.module.kernels[0].refusal);
  EXPECT_TRUE(result.has("[__regrain_address_of_v]"));
}

TEST(NVPTXAlternative, DynamicSharedMemory_StaysExternal) {
  Result result = compileAlternative(R"(
@dynamic = external addrspace(3) global [0 x i32], align 16
define void @k(i32 %i) {
  %p = getelementptr [0 x i32], ptr addrspace(3) @dynamic, i32 0, i32 %i
  store volatile i32 1, ptr addrspace(3) %p
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1})");
  EXPECT_TRUE(result.has(".extern .shared")) << result.text();
  EXPECT_FALSE(result.has("__regrain_address_of"));
}

TEST(NVPTXAlternative, AddressInAnInitialiser_IsRefused) {
  Result result = compileAlternative(R"(
@v = external addrspace(1) global i32, align 4
@holder = internal addrspace(1) global ptr addrspace(1) @v
define void @k(ptr %out) {
  %p = load volatile ptr addrspace(1), ptr addrspace(1) @holder
  store ptr addrspace(1) %p, ptr %out
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1})");
  ASSERT_TRUE(result.module.kernels[0].refusal);
  EXPECT_EQ(result.module.kernels[0].refusal->reason,
            "it uses the address of the variable v for something other than an access, and an "
            "alternative gets that address only when it is loaded");
}

TEST(NVPTXAlternative, CallThroughAPointer_IsRefused) {
  Result result = compileAlternative(R"(
@table = external addrspace(1) global [2 x ptr], align 8
define void @k(i64 %i) {
  %p = getelementptr [2 x ptr], ptr addrspace(1) @table, i64 0, i64 %i
  %f = load ptr, ptr addrspace(1) %p
  call void %f()
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1})");
  EXPECT_EQ(result.error, "");
  ASSERT_TRUE(result.module.kernels[0].refusal);
  EXPECT_NE(result.module.kernels[0].refusal->reason.find("function pointers"), std::string::npos);
  EXPECT_TRUE(result.module.code.empty());
}

TEST(NVPTXAlternative, FunctionPointerThatInliningResolves_IsKept) {
  Result result = compileAlternative(R"(
define internal i32 @apply(ptr %f) {
  %r = call i32 %f()
  ret i32 %r
}
define internal i32 @one() { ret i32 1 }
define void @k(ptr %out) {
  %r = call i32 @apply(ptr @one)
  store i32 %r, ptr %out
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1})");
  EXPECT_FALSE(result.module.kernels[0].refusal);
}

TEST(NVPTXAlternative, UndefinedFunction_IsRefused) {
  Result result = compileAlternative(R"(
declare void @elsewhere()
define void @k() {
  call void @elsewhere()
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1})");
  ASSERT_TRUE(result.module.kernels[0].refusal);
  EXPECT_EQ(result.module.kernels[0].refusal->reason,
            "it refers to elsewhere, for which no definition was found");
}

} // namespace
