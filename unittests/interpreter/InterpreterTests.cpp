//===- InterpreterTests.cpp - Results of kernels --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/interpreter/RunKernel.h"

#include <cmath>
#include <numeric>

using namespace regrain;

namespace {

TEST_F(RunKernel, Coordinates_AreThoseOfTheLaunch) {
  parse(R"(
define void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %b, %n
  %i = add i32 %base, %t
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %i, ptr %p
  ret void
})");
  std::vector<int32_t> expected(12);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(runOn(12, 3, 4), expected);
}

TEST_F(RunKernel, SharedMemoryAndBarriers_ReverseABlock) {
  parse(R"(
@s = internal addrspace(3) global [64 x i32] undef
define void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [64 x i32], ptr addrspacecast (ptr addrspace(3) @s to ptr), i32 0, i32 %t
  store i32 %t, ptr %p
  call void @llvm.nvvm.barrier0()
  %r = sub i32 63, %t
  %q = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %r
  %v = load i32, ptr addrspace(3) %q
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
})");
  for (uint64_t seed = 0; seed < 5; ++seed) {
    std::vector<int32_t> result =
        runOn(64, 2, 64, {.seed = seed, .switchAtAccesses = true, .races = RaceCheck::Block});
    for (int i = 0; i < 64; ++i)
      EXPECT_EQ(result[i], 63 - i);
  }
}

// A converted null pointer is one to the first object, and not null when it is generic again.
TEST_F(RunKernel, ShortAddresses_HaveNoNull) {
  parse(R"(
@s = internal addrspace(3) global [4 x i32] undef
declare i1 @llvm.nvvm.isspacep.shared(ptr)
define void @k(ptr %out) {
  %null = addrspacecast ptr null to ptr addrspace(3)
  %same = icmp eq ptr addrspace(3) %null, @s
  %back = addrspacecast ptr addrspace(3) %null to ptr
  %still = icmp eq ptr %back, null
  %s = addrspacecast ptr addrspace(3) @s to ptr
  %shared = call i1 @llvm.nvvm.isspacep.shared(ptr %s)
  %other = call i1 @llvm.nvvm.isspacep.shared(ptr %out)
  %a = zext i1 %same to i32
  %b = zext i1 %still to i32
  %c = zext i1 %shared to i32
  %d = zext i1 %other to i32
  store i32 %a, ptr %out
  %pb = getelementptr i32, ptr %out, i32 1
  store i32 %b, ptr %pb
  %pc = getelementptr i32, ptr %out, i32 2
  store i32 %c, ptr %pc
  %pd = getelementptr i32, ptr %out, i32 3
  store i32 %d, ptr %pd
  ret void
})");
  EXPECT_EQ(runOn(4, 1, 1), (std::vector<int32_t>{1, 0, 1, 0}));
}

TEST_F(RunKernel, ProductsOfBytes_OfEitherSign) {
  parse(R"(
define void @k(ptr %out) {
  %a = call i32 asm "dp4a.s32.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 -1, i32 67305985, i32 5)
  %b = call i32 asm "dp4a.u32.s32 $0, $1, $2, $3;", "=r,r,r,r"(i32 -1, i32 -2, i32 5)
  store i32 %a, ptr %out
  %p = getelementptr i32, ptr %out, i32 1
  store i32 %b, ptr %p
  ret void
})");
  // -1 - 2 - 3 - 4, and 255 times -2 - 1 - 1 - 1.
  EXPECT_EQ(runOn(2, 1, 1), (std::vector<int32_t>{-5, 5 - 255 * 5}));
}

TEST_F(RunKernel, WarpOperations_ExchangeLanes) {
  parse(R"(
define void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %down = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %t, i32 1, i32 31)
  %zero = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %down, i32 3, i32 6175)
  %odd = trunc i32 %t to i1
  %ballot = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %odd)
  %low = and i32 %t, 1
  %match = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %low)
  %sum = call i32 @llvm.nvvm.redux.sync.add(i32 %t, i32 -1)
  %a = getelementptr i32, ptr %out, i32 %t
  store i32 %down, ptr %a
  %b = getelementptr i32, ptr %a, i32 32
  store i32 %zero, ptr %b
  %c = getelementptr i32, ptr %a, i32 64
  store i32 %ballot, ptr %c
  %d = getelementptr i32, ptr %a, i32 96
  store i32 %match, ptr %d
  %e = getelementptr i32, ptr %a, i32 128
  store i32 %sum, ptr %e
  ret void
})");
  std::vector<int32_t> result = runOn(160, 1, 32);
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(result[lane], lane == 31 ? 31 : lane + 1) << "the last lane keeps its own";
    EXPECT_EQ(result[32 + lane], (lane & ~7) + 4) << "segments of 8 lanes";
    EXPECT_EQ(uint32_t(result[64 + lane]), 0xaaaaaaaau);
    EXPECT_EQ(uint32_t(result[96 + lane]), lane % 2 ? 0xaaaaaaaau : 0x55555555u);
    EXPECT_EQ(result[128 + lane], 496);
  }
}

TEST_F(RunKernel, BarrierCount_LeavesOutThreadsThatHaveExited) {
  parse(R"(
define void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %gone = icmp ult i32 %t, 10
  br i1 %gone, label %exit, label %stay
stay:
  %low = and i32 %t, 1
  %n = call i32 @llvm.nvvm.barrier0.popc(i32 %low)
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %n, ptr %o
  br label %exit
exit:
  ret void
})");
  std::vector<int32_t> result = runOn(50, 1, 50);
  EXPECT_EQ(result[9], 0);
  EXPECT_EQ(result[10], 20);
  EXPECT_EQ(result[49], 20);
}

TEST_F(RunKernel, Atomics_CountEveryThread) {
  parse(R"(
@total = addrspace(1) global i32 5
define void @k(ptr %out) {
  %a = atomicrmw add ptr addrspacecast (ptr addrspace(1) @total to ptr), i32 1 monotonic
  %b = atomicrmw add ptr %out, i32 1 monotonic
  %c = getelementptr i32, ptr %out, i32 1
  %d = atomicrmw max ptr %c, i32 %a monotonic
  ret void
})");
  InterpreterOptions options = {.residentBlocks = 4, .races = RaceCheck::Grid};
  EXPECT_EQ(runOn(2, 4, 40, options), (std::vector<int32_t>{160, 164}));
  EXPECT_EQ(memory.copyOut<int32_t>(*memory.addressOf("total"), 1)[0], 165);
}

TEST_F(RunKernel, CallsPhisAndStructures_Work) {
  parse(R"(
@table = internal constant [2 x ptr] [ptr @twice, ptr @sum]
define internal i32 @twice(i32 %x) { 
  %r = shl i32 %x, 1
  ret i32 %r
}
define internal i32 @sum(i32 %n) {
  %end = icmp eq i32 %n, 0
  br i1 %end, label %stop, label %more
more:
  %m = sub i32 %n, 1
  %rest = call i32 @sum(i32 %m)
  %r = add i32 %rest, %n
  br label %stop
stop:
  %v = phi i32 [ 0, %0 ], [ %r, %more ]
  ret i32 %v
}
define internal {i32, float} @pair(i32 %n) {
  %f = sitofp i32 %n to float
  %a = insertvalue {i32, float} poison, i32 %n, 0
  %b = insertvalue {i32, float} %a, float %f, 1
  ret {i32, float} %b
}
define void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = and i32 %t, 1
  %slot = getelementptr [2 x ptr], ptr @table, i32 0, i32 %low
  %f = load ptr, ptr %slot
  %v = call i32 %f(i32 %t)
  %p = call {i32, float} @pair(i32 %v)
  %x = extractvalue {i32, float} %p, 1
  %vec = insertelement <2 x float> <float 1.0, float 2.0>, float %x, i32 1
  %double = fadd <2 x float> %vec, %vec
  %y = extractelement <2 x float> %double, i32 1
  %i = fptosi float %y to i32
  %o = getelementptr i32, ptr %out, i32 %t
  switch i32 %t, label %other [ i32 3, label %three ]
three:
  store i32 -1, ptr %o
  ret void
other:
  store i32 %i, ptr %o
  ret void
})");
  EXPECT_EQ(runOn(6, 1, 6), (std::vector<int32_t>{0, 2, 8, -1, 16, 30}));
}

TEST_F(RunKernel, MathAndIntegerFunctions_AreThoseOfTheLibrary) {
  parse(R"(
declare float @__nv_expf(float)
declare i32 @__nv_clz(i32)
declare i32 @__nv_float2int_rn(float)
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare float @llvm.fma.f32(float, float, float)
define void @k(ptr %out) {
  %e = call float @__nv_expf(float 1.0)
  %eb = bitcast float %e to i32
  store i32 %eb, ptr %out
  %1 = getelementptr i32, ptr %out, i32 1
  %c = call i32 @__nv_clz(i32 255)
  store i32 %c, ptr %1
  %2 = getelementptr i32, ptr %out, i32 2
  %r = call i32 @__nv_float2int_rn(float 2.5)
  store i32 %r, ptr %2
  %3 = getelementptr i32, ptr %out, i32 3
  %m = call i32 @llvm.umin.i32(i32 -1, i32 7)
  store i32 %m, ptr %3
  %4 = getelementptr i32, ptr %out, i32 4
  %f = call i32 @llvm.fshl.i32(i32 1, i32 -2147483648, i32 1)
  store i32 %f, ptr %4
  %5 = getelementptr i32, ptr %out, i32 5
  %fm = call float @llvm.fma.f32(float 2.0, float 3.0, float 1.0)
  %fb = bitcast float %fm to i32
  store i32 %fb, ptr %5
  ret void
})");
  EXPECT_EQ(runOn(6, 1, 1), (std::vector<int32_t>{llvm::bit_cast<int32_t>(std::exp(1.0f)), 24, 2, 7,
                                                  3, llvm::bit_cast<int32_t>(7.0f)}));
}

/// Assembly with a constant operand has such an expression: the words of a pair are one number.
TEST_F(RunKernel, ConstantPairs_HaveTheirHalves) {
  parse(R"(
@table = addrspace(1) global [2 x i32] [i32 3, i32 5]
define void @k(ptr %out) {
  %x = fadd <2 x half> <half 1.0, half 2.0>, bitcast (i32 1140866048 to <2 x half>)
  %xb = bitcast <2 x half> %x to i32
  store i32 %xb, ptr %out
  %at = load i32, ptr addrspace(1) getelementptr (i32, ptr addrspace(1) @table, i64 1)
  %1 = getelementptr i32, ptr %out, i32 1
  store i32 %at, ptr %1
  ret void
})");
  // 1140866048 is 0x44003c00: 1 and 4.
  EXPECT_EQ(runOn(2, 1, 1), (std::vector<int32_t>{0x46004000, 5}));
}

/// 1 + 3/1024, squared and less 1, is 6/1024 if the square is rounded to half.
TEST_F(RunKernel, AProductThatIsNotFused_IsRoundedToItsType) {
  parse(R"(
declare half @llvm.fmuladd.f16(half, half, half)
declare half @llvm.fma.f16(half, half, half)
define void @k(ptr %out) {
  %x = call half @llvm.fmuladd.f16(half 0xH3C03, half 0xH3C03, half -1.0)
  %xb = bitcast half %x to i16
  %xw = zext i16 %xb to i32
  store i32 %xw, ptr %out
  %1 = getelementptr i32, ptr %out, i32 1
  %y = call half @llvm.fma.f16(half 0xH3C03, half 0xH3C03, half -1.0)
  %yb = bitcast half %y to i16
  %yw = zext i16 %yb to i32
  store i32 %yw, ptr %1
  ret void
})");
  EXPECT_EQ(runOn(2, 1, 1), (std::vector<int32_t>{0x1E00, 0x1E02}));
}

TEST_F(RunKernel, DynamicShared_HasTheBytesOfTheLaunch) {
  parse(R"(
@d = external addrspace(3) global [0 x i32], align 16
define void @k(ptr %out, ptr byval([2 x i32]) align 4 %both) {
  %n = call i32 asm "mov.u32 $0, %dynamic_smem_size;", "=r"()
  %last = sub i32 %n, 4
  %p = getelementptr i8, ptr addrspace(3) @d, i32 %last
  store i32 %n, ptr addrspace(3) %p
  %v = load i32, ptr addrspace(3) %p
  %second = getelementptr i32, ptr %both, i32 1
  %w = load i32, ptr %second
  %sum = add i32 %v, %w
  store i32 %sum, ptr %out
  ret void
})");
  out = memory.copyIn(std::vector<int32_t>{0});
  KernelLaunch launch = {{1, 1, 1}, {1, 1, 1}, 40, {}};
  EXPECT_EQ(run(launch.with(out).with(std::array<int32_t, 2>{7, 9})), std::nullopt) << message;
  EXPECT_EQ(memory.copyOut<int32_t>(out, 1)[0], 49);
}

TEST_F(RunKernel, GenericAddresses_OfParametersAndConstants) {
  parse(R"(
@c = addrspace(4) constant [2 x i32] [i32 30, i32 40]
define void @k(ptr %out, ptr byval([2 x i32]) align 4 %both) {
  %place = call ptr asm "{ .reg .b64 %place; mov.b64 %place, k_param_1; cvta.param.u64 $0, %place; }", "=l"()
  %p = getelementptr i32, ptr %place, i32 1
  %v = load i32, ptr %p
  %flat = call ptr asm "mov.b64 $0, $1;", "=l,l"(ptr addrspacecast (ptr addrspace(4) @c to ptr))
  %q = getelementptr i32, ptr %flat, i32 1
  %w = load i32, ptr %q
  %sum = add i32 %v, %w
  store i32 %sum, ptr %out
  ret void
})");
  out = memory.copyIn(std::vector<int32_t>{0});
  KernelLaunch launch = {{1, 1, 1}, {1, 1, 1}, 0, {}};
  EXPECT_EQ(run(launch.with(out).with(std::array<int32_t, 2>{7, 9})), std::nullopt) << message;
  EXPECT_EQ(memory.copyOut<int32_t>(out, 1)[0], 49);
}

TEST_F(RunKernel, UndefinedBits_AreFollowedThroughMasks) {
  parse(R"(
define void @k(ptr %out) {
  %a = alloca i32
  %v = load i32, ptr %a
  %low = and i32 %v, -256
  %set = or i32 %low, 5
  store i32 %set, ptr %out
  %byte = trunc i32 %set to i8
  %c = icmp eq i8 %byte, 5
  br i1 %c, label %yes, label %no
yes:
  ret void
no:
  unreachable
})");
  (void)runOn(1, 1, 1);
  EXPECT_TRUE(memory.isDefined(out, 1)) << "the byte that was set";
  EXPECT_FALSE(memory.isDefined(out, 2)) << "its neighbour was never written";
}

TEST_F(RunKernel, BlockThatWaitsForAnother_EndsWhereBothRun) {
  parse(R"(
define void @k(ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %b, 0
  br i1 %first, label %set, label %wait
set:
  store atomic i32 1, ptr %out monotonic, align 4
  ret void
wait:
  %v = load atomic i32, ptr %out monotonic, align 4
  %done = icmp eq i32 %v, 1
  br i1 %done, label %end, label %wait
end:
  ret void
})");
  EXPECT_EQ(runOn(1, 8, 1, {.residentBlocks = 8})[0], 1);
}

/// Thread 1 ends before it stores; `exit` says how.
static std::string leavingThread(const std::string &exit) {
  return R"(
declare void @llvm.nvvm.exit()
define void @leave(i1 %now) {
  br i1 %now, label %yes, label %no
yes:
  )" + exit +
         R"(
  ret void
no:
  ret void
}
define void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %one = icmp eq i32 %t, 1
  call void @leave(i1 %one)
  call void @llvm.nvvm.barrier0()
  %at = getelementptr i32, ptr %out, i32 %t
  store i32 7, ptr %at
  ret void
})";
}

TEST_F(RunKernel, Exit_EndsTheThreadAndNoOther) {
  for (const char *exit :
       {"call void @llvm.nvvm.exit()", "call void asm sideeffect \"exit;\", \"\"()"}) {
    parse(leavingThread(exit));
    EXPECT_EQ(runOn(3, 1, 3), (std::vector<int32_t>{7, 0, 7})) << exit;
  }
}

} // namespace
