//===- AmdgpuMatrixTests.cpp - Matrix cores -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/interpreter/RunWave.h"

using namespace regrain;

namespace {

/// Element `at` of what lanes have of the product of A and the unit matrix, plus 1000: row r of A
/// has the numbers 16 * r + k. `options` are the last operands.
std::string product(unsigned at, const std::string &instruction, const std::string &type,
                    const std::string &options = "i32 0, i32 0, i32 0") {
  bool isHalf = type == "half";
  std::string body = R"(
  %wave = and i32 %t, 63
  %r = and i32 %wave, 15
  %q = lshr i32 %wave, 4
  %first = shl i32 %q, 2)";
  std::string a = "poison", b = "poison";
  for (int e = 0; e < 4; ++e) {
    std::string n = std::to_string(e);
    body += "\n  %k" + n + " = add i32 %first, " + n + "\n  %row" + n + " = mul i32 %r, 16\n  %a" +
            n + " = add i32 %row" + n + ", %k" + n + "\n  %is" + n + " = icmp eq i32 %r, %k" + n +
            "\n  %b" + n + " = zext i1 %is" + n + " to i32";
    for (std::string x : {"a", "b"}) {
      std::string name = x + n, converted = "%" + x + "f" + n;
      body += "\n  " + converted + " = uitofp i32 %" + name + " to " + (isHalf ? "half" : "bfloat");
      if (!isHalf)
        body += "\n  %" + x + "s" + n + " = bitcast bfloat " + converted + " to i16";
      std::string element = isHalf ? "half " + converted : "i16 %" + x + "s" + n;
      std::string &vector = x == "a" ? a : b;
      body += "\n  %" + x + "v" + n + " = insertelement <4 x " + type + "> " + vector + ", " +
              element + ", i32 " + n;
      vector = "%" + x + "v" + n;
    }
  }
  return body + "\n  %d = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16" + instruction +
         "(<4 x " + type + "> " + a + ", <4 x " + type + "> " + b +
         ", <4 x float> <float 1000.0, float 1000.0, float 1000.0, float 1000.0>, " + options +
         ")\n  %e = extractelement <4 x float> %d, i32 " + std::to_string(at) +
         "\n  %v = fptosi float %e to i32";
}

TEST_F(RunWave, MatrixCores_HaveRowsAndColumnsInLanes) {
  for (auto [instruction, type] : {std::pair("f16", "half"), {"bf16.1k", "i16"}})
    for (unsigned at = 0; at < 4; ++at) {
      std::vector<int32_t> result = valuesOf("gfx942", product(at, instruction, type), 128);
      for (unsigned i = 0; i < 128; ++i) {
        unsigned row = i % 64 / 16 * 4 + at, column = i % 16;
        EXPECT_EQ(result[i], int(1000 + 16 * row + column)) << instruction << " " << i;
      }
    }
}

TEST_F(RunWave, MatrixCores_IgnoreWhichLanesAreActive) {
  parseFor("gfx942", kernel(product(0, "f16", "half") + "\n ret void"));
  EXPECT_EQ(faultOn(128, 128), std::nullopt) << message;
  EXPECT_EQ(faultOn(96, 96), FaultKind::DivergentBarrier);
  EXPECT_NE(message.find("32 lanes of a wave are absent"), std::string::npos) << message;
}

TEST_F(RunWave, MatrixCores_WithABroadcastAreUnsupported) {
  parseFor("gfx942", kernel(product(0, "f16", "half", "i32 1, i32 0, i32 0") + "\n ret void"));
  EXPECT_EQ(faultOn(64, 64), FaultKind::Unsupported);
}

} // namespace
