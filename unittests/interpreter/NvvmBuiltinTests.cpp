//===- NvvmBuiltinTests.cpp - Intrinsics of NVIDIA GPUs -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/interpreter/RunKernel.h"

#include "llvm/ADT/bit.h"
#include <cmath>

using namespace regrain;

namespace {

int32_t bitsOf(float value) { return llvm::bit_cast<int32_t>(value); }

/// A third lies between two numbers, of which the nearer is the greater one.
TEST_F(RunKernel, DirectedRounding_GivesTheNeighbours) {
  parse(R"(
declare float @llvm.nvvm.div.rm.f(float, float)
declare float @llvm.nvvm.div.rp.ftz.f(float, float)
declare float @llvm.nvvm.div.rz.f(float, float)
declare float @llvm.nvvm.fma.rp.f(float, float, float)
define void @k(ptr %out) {
  %a = call float @llvm.nvvm.div.rm.f(float 1.0, float 3.0)
  store float %a, ptr %out
  %1 = getelementptr i32, ptr %out, i32 1
  %b = call float @llvm.nvvm.div.rp.ftz.f(float 1.0, float 3.0)
  store float %b, ptr %1
  %2 = getelementptr i32, ptr %out, i32 2
  %c = call float @llvm.nvvm.div.rz.f(float -1.0, float 3.0)
  store float %c, ptr %2
  %3 = getelementptr i32, ptr %out, i32 3
  %d = call float @llvm.nvvm.fma.rp.f(float 0x3E80000000000000, float 0x3E80000000000000, float 1.0)
  store float %d, ptr %3
  ret void
})");
  float third = 1.0f / 3.0f, below = std::nextafter(third, 0.0f);
  EXPECT_EQ(runOn(4, 1, 1), (std::vector<int32_t>{bitsOf(below), bitsOf(third), bitsOf(-below),
                                                  bitsOf(std::nextafter(1.0f, 2.0f))}));
}

TEST_F(RunKernel, ConversionsOfNvvm_AreThoseOfTheLibrary) {
  parse(R"(
declare i32 @llvm.nvvm.f2i.rm(float)
declare i32 @llvm.nvvm.f2i.rp.ftz(float)
declare i32 @llvm.nvvm.d2ui.rz(double)
define void @k(ptr %out) {
  %a = call i32 @llvm.nvvm.f2i.rm(float -2.5)
  store i32 %a, ptr %out
  %1 = getelementptr i32, ptr %out, i32 1
  %b = call i32 @llvm.nvvm.f2i.rp.ftz(float -2.5)
  store i32 %b, ptr %1
  %2 = getelementptr i32, ptr %out, i32 2
  %c = call i32 @llvm.nvvm.d2ui.rz(double -7.0)
  store i32 %c, ptr %2
  ret void
})");
  EXPECT_EQ(runOn(3, 1, 1), (std::vector<int32_t>{-3, -2, 0}));
}

/// 1 + 2^-8 lies between two numbers of bf16, of which 1 is even.
TEST_F(RunKernel, PairsOfRoundedNumbers_HaveTheFirstAbove) {
  parse(R"(
declare <2 x bfloat> @llvm.nvvm.ff2bf16x2.rn(float, float)
declare <2 x half> @llvm.nvvm.ff2f16x2.rn(float, float)
define void @k(ptr %out) {
  %a = call <2 x bfloat> @llvm.nvvm.ff2bf16x2.rn(float 1.00390625, float -2.0)
  store <2 x bfloat> %a, ptr %out
  %1 = getelementptr i32, ptr %out, i32 1
  %b = call <2 x bfloat> @llvm.nvvm.ff2bf16x2.rn(float 1.01171875, float 0xFFF8000000000000)
  store <2 x bfloat> %b, ptr %1
  %2 = getelementptr i32, ptr %out, i32 2
  %c = call <2 x half> @llvm.nvvm.ff2f16x2.rn(float 65520.0, float 0.5)
  store <2 x half> %c, ptr %2
  ret void
})");
  EXPECT_EQ(runOn(3, 1, 1), (std::vector<int32_t>{0x3f80c000, 0x3f827fff, 0x7c003800}));
}

TEST_F(RunKernel, MaskedAddress_IsThatOfTheWord) {
  parse(R"(
declare ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1), i64)
define void @k(ptr %out) {
  %1 = getelementptr i8, ptr %out, i32 7
  %g = addrspacecast ptr %1 to ptr addrspace(1)
  %word = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %g, i64 -4)
  store i32 5, ptr addrspace(1) %word
  store i32 3, ptr %out
  ret void
})");
  EXPECT_EQ(runOn(2, 1, 1), (std::vector<int32_t>{3, 5}));
}

TEST_F(RunKernel, SpacesOfPointers_AreKnown) {
  parse(R"(
declare i1 @llvm.nvvm.isspacep.global(ptr)
declare i1 @llvm.nvvm.isspacep.shared(ptr)
declare i1 @llvm.nvvm.isspacep.local(ptr)
@s = addrspace(3) global i32 poison
define void @tell(ptr %to, ptr %what) {
  %g = call i1 @llvm.nvvm.isspacep.global(ptr %what)
  %s = call i1 @llvm.nvvm.isspacep.shared(ptr %what)
  %l = call i1 @llvm.nvvm.isspacep.local(ptr %what)
  %gw = zext i1 %g to i32
  %sw = select i1 %s, i32 2, i32 0
  %lw = select i1 %l, i32 4, i32 0
  %gs = or i32 %gw, %sw
  %all = or i32 %gs, %lw
  store i32 %all, ptr %to
  ret void
}
define void @k(ptr %out) {
  %own = alloca i32
  %1 = getelementptr i32, ptr %out, i32 1
  %2 = getelementptr i32, ptr %out, i32 2
  call void @tell(ptr %out, ptr %out)
  call void @tell(ptr %1, ptr addrspacecast (ptr addrspace(3) @s to ptr))
  call void @tell(ptr %2, ptr %own)
  ret void
})");
  EXPECT_EQ(runOn(3, 1, 1), (std::vector<int32_t>{1, 2, 4}));
}

TEST_F(RunKernel, APartialAsynchronousCopy_EndsInZeros) {
  parse(R"(
@s = addrspace(3) global [2 x i32] poison, align 8
define void @k(ptr %out) {
  store i32 -1, ptr %out
  %1 = getelementptr i32, ptr %out, i32 1
  store i32 -1, ptr %1
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], 8, $2;", "r,l,r"(i32 ptrtoint (ptr addrspace(3) @s to i32), ptr %out, i32 5)
  %a = load i32, ptr addrspace(3) @s
  %b = load i32, ptr addrspace(3) getelementptr (i32, ptr addrspace(3) @s, i32 1)
  store i32 %a, ptr %out
  store i32 %b, ptr %1
  ret void
})");
  EXPECT_EQ(runOn(2, 1, 1), (std::vector<int32_t>{-1, 255}));
}

} // namespace
