//===- AmdgpuMathTests.cpp - Numeric functions of amdgcn ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/interpreter/RunWave.h"

#include <cmath>

using namespace regrain;

namespace {

class AmdgpuMath : public RunWave {
protected:
  /// Returns the i32 %v that one thread computes.
  int32_t integer(const std::string &body) { return valuesOf("gfx90a", body, 1)[0]; }
  /// Returns the float %f.
  float single(const std::string &body) {
    int32_t bits = integer(body + "\n %v = bitcast float %f to i32");
    return llvm::bit_cast<float>(bits);
  }
};

TEST_F(AmdgpuMath, Approximations_AreRoundedCorrectly) {
  EXPECT_EQ(single("%f = call float @llvm.amdgcn.rcp.f32(float 3.0)"), 1.0f / 3.0f);
  EXPECT_EQ(single("%f = call float @llvm.amdgcn.sqrt.f32(float 2.0)"), std::sqrt(2.0f));
  EXPECT_EQ(single("%f = call float @llvm.amdgcn.rsq.f32(float 4.0)"), 0.5f);
  EXPECT_EQ(single("%f = call float @llvm.amdgcn.log.f32(float 8.0)"), 3.0f);
  EXPECT_EQ(single("%f = call float @llvm.amdgcn.exp2.f32(float 5.0)"), 32.0f);
  EXPECT_NEAR(single("%f = call float @llvm.amdgcn.sin.f32(float 7.25)"), 1, 1e-6);
  EXPECT_NEAR(single("%f = call float @llvm.amdgcn.cos.f32(float -0.5)"), -1, 1e-6);
  EXPECT_TRUE(std::isnan(single("%f = call float @llvm.amdgcn.sin.f32(float 0x7FF0000000000000)")));
  EXPECT_EQ(single("%d = call double @llvm.amdgcn.rcp.f64(double 4.0)\n"
                   "%f = fptrunc double %d to float"),
            0.25f);
  EXPECT_TRUE(std::isfinite(single("%f = call float @llvm.amdgcn.rsq.clamp.f32(float 0.0)")));
}

TEST_F(AmdgpuMath, ConversionsToIntegers_AreToTheNearest) {
  EXPECT_EQ(integer("%v = fptosi float 0x7FF8000000000000 to i32"), 0);
  EXPECT_EQ(integer("%v = fptosi float 0xC202A05F20000000 to i32"), INT32_MIN);
  EXPECT_EQ(integer("%v = fptosi double 1.0e10 to i32"), INT32_MAX);
  EXPECT_EQ(integer("%v = fptoui float -3.0 to i32"), 0);
  EXPECT_EQ(integer("%v = fptoui double 0x7FF0000000000000 to i32"), -1);
  EXPECT_TRUE(std::isnan(single("%e = fptosi float 0x7FF8000000000000 to i32\n"
                                "%f = call float @llvm.ldexp.f32.i32(float 0x7FF8000000000000, "
                                "i32 %e)")));
}

TEST_F(AmdgpuMath, PartsOfANumber) {
  EXPECT_EQ(single("%f = call float @llvm.amdgcn.fract.f32(float -1.25)"), 0.75f);
  EXPECT_LT(single("%f = call float @llvm.amdgcn.fract.f32(float 0xBE10000000000000)"), 1.0f);
  EXPECT_EQ(single("%f = call float @llvm.amdgcn.frexp.mant.f32(float 12.0)"), 0.75f);
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.frexp.exp.i32.f32(float 12.0)"), 4);
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.frexp.exp.i32.f32(float 0x7FF0000000000000)"), 0);
  EXPECT_EQ(single("%f = call float @llvm.ldexp.f32.i32(float 3.0, i32 -2)"), 0.75f);
  EXPECT_EQ(single("%r = call {float, i32} @llvm.frexp.f32.i32(float 12.0)\n"
                   "%m = extractvalue {float, i32} %r, 0\n %e = extractvalue {float, i32} %r, 1\n"
                   "%g = sitofp i32 %e to float\n %f = fadd float %m, %g"),
            4.75f);
}

TEST_F(AmdgpuMath, PartsOfTwoOverPi) {
  auto part = [&](const std::string &angle, int segment) {
    std::vector<int32_t> halves;
    for (int shift : {0, 32})
      halves.push_back(integer("%d = call double @llvm.amdgcn.trig.preop.f64(double " + angle +
                               ", i32 " + std::to_string(segment) +
                               ")\n %b = bitcast double %d to i64\n %s = lshr i64 %b, " +
                               std::to_string(shift) + "\n %v = trunc i64 %s to i32"));
    return llvm::bit_cast<double>(uint64_t(uint32_t(halves[1])) << 32 | uint32_t(halves[0]));
  };
  double first = part("1.0", 0), second = part("1.0", 1);
  EXPECT_LE(first, 2 / 3.14159265358979323846);
  EXPECT_NEAR(first, 0.63661977236758134, 1.2e-16);
  // 2/pi = 0x0.A2F9836E4E441529FC2757D1F534DD...
  EXPECT_EQ(first, double(0xA2F9836E4E441529ull >> 11) * 0x1p-53);
  EXPECT_EQ(second, double(0x529FC2757D1F534Dull >> 10 & ((1ull << 53) - 1)) * 0x1p-106)
      << "bits 53 to 105";
  EXPECT_EQ(part("0x4350000000000000", 0), first) << "an angle of 2^54";
  EXPECT_NEAR(part("0x4360000000000000", 0), first - 0.5, 1e-15) << "2^55 loses the first bit";
}

TEST_F(AmdgpuMath, OverflowsAndExtrema) {
  auto overflow = [&](const std::string &op, const std::string &operands) {
    return integer("%r = call {i32, i1} @llvm." + op + ".with.overflow.i32(" + operands +
                   ")\n %s = extractvalue {i32, i1} %r, 0\n %o = extractvalue {i32, i1} %r, 1\n"
                   " %w = zext i1 %o to i32\n %x = shl i32 %w, 31\n %v = xor i32 %s, %x");
  };
  EXPECT_EQ(overflow("uadd", "i32 -1, i32 2"), int(0x80000001));
  EXPECT_EQ(overflow("sadd", "i32 -1, i32 2"), 1);
  EXPECT_EQ(overflow("umul", "i32 65536, i32 65537"), int(0x80010000));
  EXPECT_TRUE(
      std::isnan(single("%f = call float @llvm.minimum.f32(float 1.0, float 0x7FF8000000000000)")));
  EXPECT_EQ(single("%f = call float @llvm.maximum.f32(float -1.0, float 2.0)"), 2);
  EXPECT_EQ(single("%f = call float @llvm.canonicalize.f32(float 2.0)"), 2);
}

TEST_F(AmdgpuMath, ReductionsOfVectors) {
  auto reduced = [&](const std::string &op) {
    return integer("%v = call i32 @llvm.vector.reduce." + op +
                   ".v4i32(<4 x i32> <i32 -7, i32 12, i32 3, i32 5>)");
  };
  EXPECT_EQ(reduced("add"), 13);
  EXPECT_EQ(reduced("mul"), -1260);
  EXPECT_EQ(reduced("or"), -1);
  EXPECT_EQ(reduced("xor"), -7 ^ 12 ^ 3 ^ 5);
  EXPECT_EQ(reduced("and"), 0);
  EXPECT_EQ(reduced("smin"), -7);
  EXPECT_EQ(reduced("smax"), 12);
  EXPECT_EQ(reduced("umin"), 3);
  EXPECT_EQ(reduced("umax"), -7);
  EXPECT_EQ(single("%f = call float @llvm.vector.reduce.fadd.v2f32(float 1.0, <2 x float> <float "
                   "2.0, float 4.0>)"),
            7);
}

TEST_F(AmdgpuMath, Medians_AndLegacyProducts) {
  EXPECT_EQ(single("%f = call float @llvm.amdgcn.fmed3.f32(float 3.0, float 1.0, float 2.0)"), 2);
  EXPECT_EQ(single("%f = call float @llvm.amdgcn.fmed3.f32(float 3.0, float 0x7FF8000000000000, "
                   "float 2.0)"),
            2);
  EXPECT_EQ(single("%f = call float @llvm.amdgcn.fmul.legacy(float 0.0, float 0x7FF0000000000000)"),
            0);
  EXPECT_EQ(single("%f = call float @llvm.amdgcn.fma.legacy(float 0.0, float "
                   "0x7FF0000000000000, float 3.0)"),
            3);
  EXPECT_EQ(single("%f = call float @llvm.amdgcn.fmad.ftz.f32(float 2.0, float 3.0, float 4.0)"),
            10);
}

TEST_F(AmdgpuMath, Classes) {
  auto test = [&](const std::string &intrinsic, const std::string &value, int mask) {
    return integer("%c = call i1 @llvm." + intrinsic + ".f32(float " + value + ", i32 " +
                   std::to_string(mask) + ")\n %v = zext i1 %c to i32");
  };
  for (std::string intrinsic : {"amdgcn.class", "is.fpclass"}) {
    EXPECT_EQ(test(intrinsic, "0x7FF8000000000000", 0x2), 1) << "a quiet NaN";
    EXPECT_EQ(test(intrinsic, "0x7FF8000000000000", 0x1), 0);
    EXPECT_EQ(test(intrinsic, "0xFFF0000000000000", 0x4), 1) << "negative infinity";
    EXPECT_EQ(test(intrinsic, "-1.0", 0x8), 1) << "negative normal";
    EXPECT_EQ(test(intrinsic, "-0.0", 0x20), 1);
    EXPECT_EQ(test(intrinsic, "0.0", 0x40), 1);
    EXPECT_EQ(test(intrinsic, "0x3800000000000000", 0x80), 1) << "positive subnormal";
    EXPECT_EQ(test(intrinsic, "1.0", 0x100), 1);
    EXPECT_EQ(test(intrinsic, "1.0", 0x2ff), 0);
  }
}

TEST_F(AmdgpuMath, Conversions) {
  auto packed = [&](const std::string &call, const std::string &type) {
    return integer("%p = call " + type + " @llvm.amdgcn." + call + "\n %v = bitcast " + type +
                   " %p to i32");
  };
  // 1 + 2^-11 + 2^-20 lies above the middle of two halves.
  EXPECT_EQ(packed("cvt.pkrtz(float 0x3FF0020080000000, float -2.0)", "<2 x half>"),
            int(0xc0003c00));
  EXPECT_EQ(packed("cvt.pk.i16(i32 70000, i32 -5)", "<2 x i16>"), int(0xfffb7fff));
  EXPECT_EQ(packed("cvt.pk.u16(i32 70000, i32 5)", "<2 x i16>"), 0x0005ffff);
}

TEST_F(AmdgpuMath, BitsAndBytes) {
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.ubfe.i32(i32 -559038737, i32 8, i32 12)"), 0xdbe);
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.ubfe.i32(i32 -1, i32 28, i32 12)"), 0xf);
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.ubfe.i32(i32 -1, i32 3, i32 0)"), 0);
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.sbfe.i32(i32 3584, i32 8, i32 4)"), -2);
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.perm(i32 -1430532899, i32 287454020, "
                    "i32 117835012)"), // 0x07060504: the first operand
            int(0xaabbccdd));
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.perm(i32 0, i32 287454020, i32 202182159)"),
            0xffffff); // 0x0c0d0e0f: a byte of zeros and three of ones
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.alignbyte(i32 287454020, i32 -1430532899, i32 1)"),
            0x44aabbcc);
  EXPECT_EQ(integer("%v = call i32 @llvm.fshr.i32(i32 1, i32 0, i32 4)"), 1 << 28);
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.lerp(i32 257, i32 2, i32 1)"), 0x2);
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.sffbh.i32(i32 -256)"), 24);
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.sffbh.i32(i32 0)"), -1);
}

TEST_F(AmdgpuMath, Products24_AndDifferences) {
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.mul.u24.i32(i32 -1, i32 2)"), 0x1fffffe);
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.mul.i24.i32(i32 16777215, i32 5)"), -5);
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.mulhi.u24(i32 -1, i32 -1)"), 0xffff);
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.mulhi.i24(i32 -1, i32 1)"), -1);
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.sad.u8(i32 16909060, i32 67305985, i32 10)"), 18);
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.msad.u8(i32 16909060, i32 257, i32 0)"), 5);
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.sad.hi.u8(i32 3, i32 1, i32 7)"), (2 << 16) + 7);
  EXPECT_EQ(integer("%v = call i32 @llvm.amdgcn.sad.u16(i32 65541, i32 3, i32 0)"), 3);
}

TEST_F(AmdgpuMath, UndefinedOperands_StayUndefined) {
  parseFor("gfx90a", kernel("%a = alloca float, addrspace(5)\n"
                            "%u = load float, ptr addrspace(5) %a\n"
                            "%f = call float @llvm.amdgcn.rcp.f32(float %u)\n"
                            "%c = fcmp oeq float %f, 0.0\n"
                            "br i1 %c, label %x, label %x\nx:\n ret void"));
  EXPECT_EQ(faultOn(1, 1), FaultKind::UndefinedValue);
}

} // namespace
