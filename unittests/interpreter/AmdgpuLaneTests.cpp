//===- AmdgpuLaneTests.cpp - Instructions that cross lanes of a wave ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/interpreter/RunWave.h"

using namespace regrain;

namespace {

constexpr const char *laneNumber = R"(
  %lo = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
  %lane = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %lo)
)";

TEST_F(RunWave, MaskedCount_NumbersLanes) {
  std::string body = std::string(laneNumber) + " %v = add i32 %lane, 0";
  for (uint32_t wave : {64, 32}) {
    std::vector<int32_t> result = valuesOf(wave == 64 ? "gfx942" : "gfx1100", body, 150);
    for (uint32_t i = 0; i < 150; ++i)
      EXPECT_EQ(result[i], int(i % wave));
  }
}

TEST_F(RunWave, WaveSize_FollowsTheProcessor) {
  for (auto [processor, wave] :
       {std::pair("gfx90a", 64), {"gfx942", 64}, {"gfx1030", 32}, {"gfx1100", 32}}) {
    EXPECT_EQ(valuesOf(processor, "%v = call i32 @llvm.amdgcn.wavefrontsize()", 1)[0], wave);
    EXPECT_EQ(valuesOf(processor, "%v = call i32 @llvm.amdgcn.wavefrontsize()", 1,
                       {.waveSize = 96u - wave})[0],
              96 - wave);
  }
  EXPECT_EQ(valuesOf("gfx1100\" \"target-features\"=\"+wavefrontsize64",
                     "%v = call i32 @llvm.amdgcn.wavefrontsize()", 1)[0],
            64);
}

TEST_F(RunWave, Ballot_HasABitForEachLaneThatTakesPart) {
  // The odd lanes below 40 ballot; the others are not active.
  std::string body = R"(
  %in = icmp ult i32 %t, 40
  br i1 %in, label %vote, label %end
vote:
  %odd = trunc i32 %t to i1
  %b = call i64 @llvm.amdgcn.ballot.i64(i1 %odd)
  %low = trunc i64 %b to i32
  %high64 = lshr i64 %b, 32
  %high = trunc i64 %high64 to i32
  %sum = xor i32 %low, %high
  br label %end
end:
  %v = phi i32 [ %sum, %vote ], [ 7, %0 ])";
  std::vector<int32_t> result = valuesOf("gfx90a", body, 64);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(result[i], i < 40 ? int(0xaaaaaaaa ^ 0xaa) : 7);
  result = valuesOf("gfx1030", body, 64);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(result[i], i < 32 ? int(0xaaaaaaaa) : i < 40 ? 0xaa : 7);
}

TEST_F(RunWave, Ballot_OfComparisons) {
  std::vector<int32_t> result = valuesOf("gfx1100", R"(
  %b = call i32 @llvm.amdgcn.icmp.i32.i32(i32 %t, i32 5, i32 36)
  %f = uitofp i32 %t to float
  %c = call i32 @llvm.amdgcn.fcmp.i32.f32(float %f, float 3.0, i32 3)
  %v = sub i32 %b, %c)",
                                         32);
  for (int value : result)
    EXPECT_EQ(value, int(0x1fu - ~0x7u)); // ult: lanes below 5; oge: from 3 on
}

TEST_F(RunWave, Ballot_NarrowerThanTheWaveIsUnsupported) {
  parseFor("gfx90a", kernel("%b = call i32 @llvm.amdgcn.ballot.i32(i1 true)\n ret void"));
  EXPECT_EQ(faultOn(1, 1), FaultKind::Unsupported);
}

TEST_F(RunWave, InverseBallot_IsTheLanesBit) {
  std::vector<int32_t> result = valuesOf("gfx90a", R"(
  %b = call i1 @llvm.amdgcn.inverse.ballot.i64(i64 4294967301)
  %v = zext i1 %b to i32)",
                                         64);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(result[i], i == 0 || i == 2 || i == 32);
}

TEST_F(RunWave, BackwardPermute_GathersFromAnyLaneOfTheWave) {
  std::string body = R"(
  %r = sub i32 200, %t
  %i = shl i32 %r, 2
  %s = mul i32 %t, 3
  %v = call i32 @llvm.amdgcn.ds.bpermute(i32 %i, i32 %s))";
  for (int wave : {64, 32}) {
    std::vector<int32_t> result = valuesOf(wave == 64 ? "gfx90a" : "gfx1030", body, 128);
    for (int i = 0; i < 128; ++i)
      EXPECT_EQ(result[i], 3 * (i / wave * wave + (200 - i) % wave));
  }
}

TEST_F(RunWave, BackwardPermute_FromALaneThatIsNotThereIsUndefined) {
  std::string text = kernel(R"(
  %in = icmp ult i32 %t, 16
  br i1 %in, label %x, label %end
x:
  %far = add i32 %t, OFFSET
  %i = shl i32 %far, 2
  %s = call i32 @llvm.amdgcn.ds.bpermute(i32 %i, i32 %t)
  %c = icmp eq i32 %s, 0
  br i1 %c, label %end, label %end
end:
  ret void)");
  std::string inside = text, outside = text;
  inside.replace(inside.find("OFFSET"), 6, "0");
  outside.replace(outside.find("OFFSET"), 6, "1");
  parseFor("gfx90a", inside);
  EXPECT_EQ(faultOn(64, 64), std::nullopt) << message;
  parseFor("gfx90a", outside);
  EXPECT_EQ(faultOn(64, 64), FaultKind::UndefinedValue);
  EXPECT_NE(message.find("thread (15,0,0)"), std::string::npos) << message;
}

TEST_F(RunWave, ForwardPermute_TheHighestSenderWins) {
  std::vector<int32_t> result = valuesOf("gfx90a", R"(
  %half = lshr i32 %t, 1
  %i = shl i32 %half, 2
  %s = add i32 %t, 100
  %v = call i32 @llvm.amdgcn.ds.permute(i32 %i, i32 %s))",
                                         64);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(result[i], i < 32 ? 101 + 2 * i : 0);
}

TEST_F(RunWave, Swizzle_ByMasksAndQuads) {
  // xor 1 within 32 lanes: xor << 10 | or << 5 | and.
  std::vector<int32_t> result =
      valuesOf("gfx90a", "%v = call i32 @llvm.amdgcn.ds.swizzle(i32 %t, i32 1055)", 64);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(result[i], i ^ 1);
  // and 0, or 3: lane 3 of each 32.
  result = valuesOf("gfx90a", "%v = call i32 @llvm.amdgcn.ds.swizzle(i32 %t, i32 96)", 64);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(result[i], i / 32 * 32 + 3);
  // Quads in reverse: 3, 2, 1, 0.
  result = valuesOf("gfx90a", "%v = call i32 @llvm.amdgcn.ds.swizzle(i32 %t, i32 32795)", 64);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(result[i], i / 4 * 4 + 3 - i % 4);
}

TEST_F(RunWave, ReadLane_AndWriteLane) {
  std::vector<int32_t> result = valuesOf("gfx1100", R"(
  %in = icmp ugt i32 %t, 2
  br i1 %in, label %x, label %end
x:
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %t)
  %fifth = call i32 @llvm.amdgcn.readlane.i32(i32 %t, i32 5)
  %s = mul i32 %first, 100
  %both = add i32 %s, %fifth
  %w = call i32 @llvm.amdgcn.writelane.i32(i32 -1, i32 6, i32 %both)
  br label %end
end:
  %v = phi i32 [ %w, %x ], [ 0, %0 ])",
                                         64);
  for (int i = 0; i < 64; ++i) {
    int first = i < 32 ? 3 : 32, fifth = i < 32 ? 5 : 37;
    EXPECT_EQ(result[i], i <= 2 ? 0 : i % 32 == 6 ? -1 : first * 100 + fifth) << i;
  }
  result = valuesOf("gfx90a", R"(
  %wide = zext i32 %t to i64
  %x = shl i64 %wide, 33
  %first = call i64 @llvm.amdgcn.readlane.i64(i64 %x, i32 40)
  %y = lshr i64 %first, 33
  %v = trunc i64 %y to i32)",
                    64);
  EXPECT_EQ(result, std::vector<int32_t>(64, 40));
}

/// Branches on %s, so that an undefined value is a fault.
std::string branchOn(const std::string &computed) {
  return computed + R"(
  %c = icmp eq i32 %s, 0
  br i1 %c, label %x, label %x
x:
  ret void)";
}

TEST_F(RunWave, ReadLane_UndefinedWhereItsLaneDiffersOrIsNotThere) {
  parseFor("gfx90a", kernel(branchOn("%s = call i32 @llvm.amdgcn.readlane.i32(i32 %t, i32 %t)")));
  EXPECT_EQ(faultOn(1, 1), std::nullopt) << message;
  EXPECT_EQ(faultOn(2, 2), FaultKind::UndefinedValue);
  parseFor("gfx90a", kernel(branchOn("%s = call i32 @llvm.amdgcn.readlane.i32(i32 %t, i32 9)")));
  EXPECT_EQ(faultOn(10, 10), std::nullopt) << message;
  EXPECT_EQ(faultOn(9, 9), FaultKind::UndefinedValue);
}

/// Returns update.dpp of %t over 1000 with a control and masks.
std::string dpp(int control, int rows = 15, int banks = 15, bool bound = false) {
  return "%v = call i32 @llvm.amdgcn.update.dpp.i32(i32 1000, i32 %t, i32 " +
         std::to_string(control) + ", i32 " + std::to_string(rows) + ", i32 " +
         std::to_string(banks) + ", i1 " + (bound ? "true" : "false") + ")";
}

TEST_F(RunWave, Dpp_Controls) {
  auto check = [&](int control, auto wanted) {
    std::vector<int32_t> result = valuesOf("gfx90a", dpp(control), 64);
    for (int i = 0; i < 64; ++i)
      EXPECT_EQ(result[i], wanted(i)) << "control " << control << " lane " << i;
  };
  check(0x1b, [](int i) { return i / 4 * 4 + 3 - i % 4; });            // quad_perm 3,2,1,0
  check(0x103, [](int i) { return i % 16 + 3 < 16 ? i + 3 : 1000; });  // row_shl 3
  check(0x111, [](int i) { return i % 16 ? i - 1 : 1000; });           // row_shr 1
  check(0x124, [](int i) { return i / 16 * 16 + (i + 12) % 16; });     // row_ror 4
  check(0x130, [](int i) { return i < 63 ? i + 1 : 1000; });           // wave_shl 1
  check(0x134, [](int i) { return (i + 1) % 64; });                    // wave_rol 1
  check(0x138, [](int i) { return i ? i - 1 : 1000; });                // wave_shr 1
  check(0x13c, [](int i) { return (i + 63) % 64; });                   // wave_ror 1
  check(0x140, [](int i) { return i / 16 * 16 + 15 - i % 16; });       // row_mirror
  check(0x141, [](int i) { return i / 8 * 8 + 7 - i % 8; });           // row_half_mirror
  check(0x142, [](int i) { return i < 16 ? 1000 : i / 16 * 16 - 1; }); // row_bcast 15
  check(0x143, [](int i) { return i < 32 ? 1000 : 31; });              // row_bcast 31
  check(0x155, [](int i) { return i / 16 * 16 + 5; });                 // row_newbcast 5
  check(0x163, [](int i) { return i ^ 3; });                           // row_xmask 3
}

TEST_F(RunWave, Dpp_MasksAndBounds) {
  std::vector<int32_t> result = valuesOf("gfx90a", dpp(0x111, /*rows=*/0xa, /*banks=*/0xf), 64);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(result[i], i / 16 % 2 && i % 16 ? i - 1 : 1000);
  result = valuesOf("gfx90a", dpp(0x111, 0xf, /*banks=*/0x3, /*bound=*/true), 64);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(result[i], i % 16 >= 8 ? 1000 : i % 16 ? i - 1 : 0);
  parseFor("gfx90a", kernel(branchOn("%s = call i32 @llvm.amdgcn.mov.dpp.i32(i32 %t, i32 273, "
                                     "i32 15, i32 15, i1 false)")));
  EXPECT_EQ(faultOn(1, 1), FaultKind::UndefinedValue) << "there is no old value";
  parseFor("gfx90a", kernel(dpp(0x144) + "\n ret void"));
  EXPECT_EQ(faultOn(1, 1), FaultKind::Unsupported);
}

TEST_F(RunWave, Dpp8_AndRowPermutes) {
  std::vector<int32_t> result =
      valuesOf("gfx1100", "%v = call i32 @llvm.amdgcn.mov.dpp8.i32(i32 %t, i32 342391)", 32);
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(result[i], i / 8 * 8 + 7 - i % 8);
  std::string row = "call i32 @llvm.amdgcn.permlane16.i32(i32 1000, i32 %t, i32 1985229328, "
                    "i32 -19088744, i1 false, i1 false)"; // the identity
  result = valuesOf("gfx1100", "%v = " + row, 32);
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(result[i], i);
  row.replace(row.find("permlane16"), 10, "permlanex16");
  result = valuesOf("gfx1100", "%v = " + row, 48);
  for (int i = 0; i < 48; ++i)
    EXPECT_EQ(result[i], i < 32 ? i ^ 16 : 1000);
  result = valuesOf("gfx1100\" \"target-features\"=\"+wavefrontsize64",
                    "%v = call i32 @llvm.amdgcn.permlane64.i32(i32 %t)", 64);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(result[i], i ^ 32);
}

TEST_F(RunWave, Reductions) {
  std::vector<int32_t> result = valuesOf("gfx90a", R"(
  %n = sub i32 90, %t
  %a = call i32 @llvm.amdgcn.wave.reduce.umin.i32(i32 %n, i32 1)
  %b = call i32 @llvm.amdgcn.wave.reduce.umax.i32(i32 %n, i32 1)
  %s = mul i32 %b, 1000
  %v = add i32 %a, %s)",
                                         80);
  for (int i = 0; i < 80; ++i)
    EXPECT_EQ(result[i], i < 64 ? 90027 : 26011);
}

/// In iteration i of 4, the lanes whose number is at least i ballot, and each
/// appends their count as a digit.
constexpr const char *ballotInALoop = R"(
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %sum = phi i32 [ 0, %0 ], [ %total, %latch ]
  %in = icmp uge i32 %t, %i
  br i1 %in, label %vote, label %latch
vote:
  %b = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %n64 = call i64 @llvm.ctpop.i64(i64 %b)
  %n = trunc i64 %n64 to i32
  %digits = shl i32 %sum, 4
  %s = add i32 %digits, %n
  br label %latch
latch:
  %total = phi i32 [ %sum, %loop ], [ %s, %vote ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %end
end:
  %v = add i32 %total, 0)";

TEST_F(RunWave, Convergence_IsThatOfOneIteration) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    std::vector<int32_t> result =
        valuesOf("gfx90a", ballotInALoop, 8, {.seed = seed, .switchAtAccesses = true});
    int sum = 0;
    for (int i = 0; i < 4; ++i) {
      sum = sum * 16 + 8 - i; // lanes from i on
      EXPECT_EQ(result[i], sum);
    }
    EXPECT_EQ(result[7], 0x8765);
  }
}

TEST_F(RunWave, Convergence_LanesThatCameFurtherWait) {
  // Lane n is active from iteration n on; without the others it would be active at
  // once.
  std::string body = ballotInALoop;
  body.replace(body.find("icmp uge"), 8, "icmp ule");
  for (uint64_t seed = 0; seed < 8; ++seed) {
    std::vector<int32_t> result = valuesOf("gfx90a", body, 8, {.seed = seed});
    for (int lane = 0; lane < 8; ++lane) {
      int sum = 0;
      for (int i = lane; i < 4; ++i)
        sum = sum * 16 + i + 1;
      EXPECT_EQ(result[lane], sum) << lane;
    }
  }
}

TEST_F(RunWave, Convergence_LanesThatLeftALoopWaitForTheRest) {
  // Each lane executes its number of iterations, with a ballot in each, then all
  // meet.
  std::string body = R"(
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %total, %loop ]
  %b = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %n64 = call i64 @llvm.ctpop.i64(i64 %b)
  %n = trunc i64 %n64 to i32
  %total = add i32 %sum, %n
  %next = add i32 %i, 1
  %more = icmp ult i32 %i, %t
  br i1 %more, label %loop, label %end
end:
  %all = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %all32 = trunc i64 %all to i32
  %s = shl i32 %all32, 16
  %v = add i32 %s, %total)";
  for (uint64_t seed = 0; seed < 8; ++seed) {
    std::vector<int32_t> result = valuesOf("gfx90a", body, 8, {.seed = seed});
    int sum = 0;
    for (int i = 0; i < 8; ++i) {
      sum += 8 - i;
      EXPECT_EQ(result[i], (0xff << 16) + sum);
    }
  }
}

TEST_F(RunWave, Convergence_BranchesMeetBehindThem) {
  std::string body = R"(
  %odd = trunc i32 %t to i1
  br i1 %odd, label %x, label %y
x:
  %bx = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  br label %end
y:
  %by = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  br label %end
end:
  %side = phi i64 [ %bx, %x ], [ %by, %y ]
  %all = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %s = shl i64 %all, 16
  %o = or i64 %s, %side
  %v = trunc i64 %o to i32)";
  for (uint64_t seed = 0; seed < 8; ++seed) {
    std::vector<int32_t> result = valuesOf("gfx90a", body, 8, {.seed = seed});
    for (int i = 0; i < 8; ++i)
      EXPECT_EQ(result[i], 0xff0000 | (i % 2 ? 0xaa : 0x55));
  }
}

TEST_F(RunWave, Convergence_OfCalls) {
  // The same instruction reached by two calls is not the same instance.
  parseFor("gfx90a", R"(
define internal i32 @count() #0 {
  %b = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %v = trunc i64 %b to i32
  ret i32 %v
}
)" + kernel(R"(
  %odd = trunc i32 %t to i1
  br i1 %odd, label %x, label %y
x:
  %bx = call i32 @count()
  br label %end
y:
  %by = call i32 @count()
  br label %end
end:
  %v = phi i32 [ %bx, %x ], [ %by, %y ]
  store i32 %v, ptr addrspace(1) %own
  ret void)"));
  std::vector<int32_t> result = runOn(8, 1, 8);
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(result[i], i % 2 ? 0xaa : 0x55);
}

TEST_F(RunWave, Convergence_InACycleWithTwoEntries) {
  std::string body = R"(
  %odd = trunc i32 %t to i1
  br i1 %odd, label %a, label %b
a:
  %ia = phi i32 [ 0, %0 ], [ %ib2, %b ]
  %ba = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %ia2 = add i32 %ia, 1
  br label %b
b:
  %ib = phi i32 [ 0, %0 ], [ %ia2, %a ]
  %ib2 = add i32 %ib, 1
  %more = icmp ult i32 %ib2, 6
  br i1 %more, label %a, label %end
end:
  %all = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %v = trunc i64 %all to i32)";
  for (uint64_t seed = 0; seed < 4; ++seed)
    EXPECT_EQ(valuesOf("gfx90a", body, 8, {.seed = seed}), std::vector<int32_t>(8, 0xff));
}

TEST_F(RunWave, Barrier_OrdersTheBlockAndForgetsLanesThatEnded) {
  std::string body = R"(
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %t
  store i32 %t, ptr addrspace(3) %p
  %gone = icmp uge i32 %t, 100
  br i1 %gone, label %leave, label %stay
leave:
  ret void
stay:
  call void @llvm.amdgcn.s.barrier()
  %r = sub i32 99, %t
  %q = getelementptr i32, ptr addrspace(3) @s, i32 %r
  %v = load i32, ptr addrspace(3) %q
  store i32 %v, ptr addrspace(1) %own
  ret void)";
  parseFor("gfx90a", kernel(body, "@s = internal addrspace(3) global [128 x i32] poison"));
  for (uint64_t seed = 0; seed < 6; ++seed) {
    std::vector<int32_t> result =
        runOn(128, 1, 128, {.seed = seed, .switchAtAccesses = true, .races = RaceCheck::Block});
    for (int i = 0; i < 100; ++i)
      EXPECT_EQ(result[i], 99 - i);
  }
}

TEST_F(RunWave, Barrier_TakesAWaveAsAWhole) {
  std::string text = kernel(R"(
  %in = icmp ult i32 %t, 32
  br i1 %in, label %x, label %y
x:
  call void @llvm.amdgcn.s.barrier()
  br label %y
y:
  ret void)");
  parseFor("gfx1100", text);
  EXPECT_EQ(faultOn(64, 64), std::nullopt) << "the second wave has ended: " << message;
  parseFor("gfx90a", text);
  EXPECT_EQ(faultOn(64, 64), std::nullopt) << "lanes that have ended do not count: " << message;
  std::string twice = text;
  twice.replace(twice.find("y:\n"), 3, "y:\n call void @llvm.amdgcn.s.barrier()\n");
  parseFor("gfx90a", twice);
  EXPECT_EQ(faultOn(64, 64), FaultKind::DivergentBarrier);
  EXPECT_NE(message.find("32 of the 64 lanes"), std::string::npos) << message;
}

TEST_F(RunWave, Races_AreSeenBetweenWavesAndWithoutABarrier) {
  auto text = [](const std::string &between) {
    return kernel("%p = getelementptr i32, ptr addrspace(3) @s, i32 %t\n"
                  "store i32 %t, ptr addrspace(3) %p\n" +
                      between +
                      "\n%n = xor i32 %t, 63\n"
                      "%q = getelementptr i32, ptr addrspace(3) @s, i32 %n\n"
                      "%v = load i32, ptr addrspace(3) %q\n"
                      "store i32 %v, ptr addrspace(1) %own\n ret void",
                  "@s = internal addrspace(3) global [64 x i32] poison");
  };
  InterpreterOptions options = {.races = RaceCheck::Block};
  parseFor("gfx90a", text(""));
  EXPECT_EQ(faultOn(64, 64, options), FaultKind::Race);
  parseFor("gfx90a", text("call void @llvm.amdgcn.wave.barrier()"));
  EXPECT_EQ(faultOn(64, 64, options), std::nullopt) << message;
  parseFor("gfx1100", text("call void @llvm.amdgcn.wave.barrier()"));
  EXPECT_EQ(faultOn(64, 64, options), FaultKind::Race) << "the other half is another wave";
  parseFor("gfx1100", text("call void @llvm.amdgcn.s.barrier()"));
  EXPECT_EQ(faultOn(64, 64, options), std::nullopt) << message;
}

TEST_F(RunWave, EndOfProgram_EndsTheThread) {
  parseFor("gfx90a", kernel(R"(
  store i32 1, ptr addrspace(1) %own
  call void @llvm.amdgcn.endpgm()
  unreachable)"));
  EXPECT_EQ(runOn(4, 1, 4), std::vector<int32_t>(4, 1));
}

} // namespace
