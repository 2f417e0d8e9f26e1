//===- JointDivisionsTest.cpp - Quotients and roots, bit for bit ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Arithmetic/JointDivisions.h"

#include "unittests/interpreter/RunKernel.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

using namespace llvm;
using namespace regrain;

namespace {

/// Returns the head of a kernel: %p has the `in` numbers of a thread, and %q its `out` results.
std::string head(unsigned in, unsigned out) {
  return formatv(R"(
declare float @llvm.sqrt.f32(float)
declare float @llvm.fabs.f32(float)
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.minnum.f32(float, float)
define ptx_kernel void @k(ptr %out, ptr %in) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %c, %n
  %i = add i32 %first, %t
  %from = mul i32 %i, {0}
  %to = mul i32 %i, {1}
  %p = getelementptr float, ptr %in, i32 %from
  %q = getelementptr float, ptr %out, i32 %to
)",
                 in, out);
}

/// Thread i computes out[6i...] = {a/d, b/d, c/d, root(e)} of in[5i...], and a quotient of
/// quotients.
constexpr char body[] = R"(
  %p1 = getelementptr float, ptr %p, i32 1
  %p2 = getelementptr float, ptr %p, i32 2
  %p3 = getelementptr float, ptr %p, i32 3
  %p4 = getelementptr float, ptr %p, i32 4
  %a = load float, ptr %p
  %b = load float, ptr %p1
  %v = load float, ptr %p2
  %d = load float, ptr %p3
  %e = load float, ptr %p4
  %x = fdiv float %a, %d
  %y = fdiv float %b, %d
  %z = fdiv float %v, %d
  %r = call float @llvm.sqrt.f32(float %e)
  %s = call float @llvm.fma.f32(float %x, float %x, float 1.0)
  %u = fdiv float %s, -3.0
  %w = fdiv float %s, %d
  %q1 = getelementptr float, ptr %q, i32 1
  %q2 = getelementptr float, ptr %q, i32 2
  %q3 = getelementptr float, ptr %q, i32 3
  %q4 = getelementptr float, ptr %q, i32 4
  %q5 = getelementptr float, ptr %q, i32 5
  store float %x, ptr %q
  store float %y, ptr %q1
  store float %z, ptr %q2
  store float %r, ptr %q3
  store float %u, ptr %q4
  store float %w, ptr %q5
  ret void
}
)";

class JointDivisionsTest : public RunKernel {
protected:
  /// Runs the pass, which must leave `fdivs` divisions, all of them behind the check.
  void join(unsigned fdivs) {
    FunctionAnalysisManager functions;
    PassBuilder().registerFunctionAnalyses(functions);
    Function &function = *module->getFunction("k");
    nvptx::JointDivisions().run(function, functions);
    ASSERT_FALSE(verifyModule(*module, &errs()));
    unsigned left = 0;
    for (Instruction &instruction : instructions(function))
      if (instruction.getOpcode() == Instruction::FDiv) {
        EXPECT_NE(instruction.getParent(), &function.getEntryBlock());
        ++left;
      }
    EXPECT_EQ(left, fdivs);
  }

  /// Compares the results with those of the host. All that is no number is the same.
  void compare(const std::vector<float> &in) {
    constexpr uint32_t block = 64;
    uint32_t grid = in.size() / 5 / block, threads = grid * block;
    uint64_t from = memory.copyIn(in), to = memory.copyIn(std::vector<float>(threads * 6));
    KernelLaunch launch = {{grid, 1, 1}, {block, 1, 1}, 0, {}};
    ASSERT_EQ(run(launch.with(to).with(from)), std::nullopt) << message;
    std::vector<float> out = memory.copyOut<float>(to, threads * 6);
    for (uint32_t thread = 0; thread < threads; ++thread) {
      const float *of = &in[thread * 5];
      float d = of[3], x = of[0] / d, s = std::fma(x, x, 1.0f);
      float wanted[] = {x, of[1] / d, of[2] / d, std::sqrt(of[4]), s / -3, s / d};
      for (int result = 0; result < 6; ++result) {
        float found = out[thread * 6 + result];
        ASSERT_TRUE(std::isnan(wanted[result])
                        ? std::isnan(found)
                        : std::bit_cast<uint32_t>(found) == std::bit_cast<uint32_t>(wanted[result]))
            << "result " << result << ": " << std::hexfloat << found << ", not " << wanted[result]
            << "; " << of[0] << ' ' << of[1] << ' ' << of[2] << " by " << d << ", root of "
            << of[4];
      }
    }
  }
};

float of(uint32_t exponent, std::mt19937 &random) {
  uint32_t bits = random(), mantissa = bits & 0x7fffff;
  if (bits >> 29 == 0) // the ends of the range, powers of two, zeros and infinities
    mantissa = bits >> 28 & 1 ? 0x7fffff : 0;
  return std::bit_cast<float>((bits & 0x80000000) | exponent << 23 | mantissa);
}

TEST_F(JointDivisionsTest, AllExponents) {
  parse(head(5, 6) + body);
  join(5);
  std::mt19937 random(1);
  std::vector<float> in;
  for (uint32_t divisor = 0; divisor < 256; ++divisor)
    for (uint32_t dividend = 0; dividend < 256; dividend += 4) {
      for (uint32_t one = 1; one < 4; ++one)
        in.push_back(of(dividend + (one + divisor) % 4, random));
      in.push_back(of(divisor, random));
      in.push_back(of(random() & 255, random));
    }
  compare(in);
}

TEST_F(JointDivisionsTest, Ends) {
  parse(head(5, 6) + body);
  join(5);
  constexpr float none = __builtin_nanf(""), most = 0x1.fffffep127f, infinite = __builtin_inff();
  const float numbers[] = {0,
                           1,
                           3,
                           0x1p-149f,
                           0x1p-126f,
                           0x1p-101f,
                           0x1.fffffep-102f,
                           0x1p-90f,
                           0x1.fffffep-91f,
                           0x1p35f,
                           0x1.000002p35f,
                           0x1p126f,
                           most,
                           infinite,
                           0x1.fffffep0f,
                           0x1.fffffep-1f,
                           7,
                           0x1p-125f,
                           none};
  std::vector<float> in;
  for (float a : numbers)
    for (float d : numbers)
      for (int signs = 0; signs < 4; ++signs) {
        float dividend = signs & 1 ? -a : a, divisor = signs & 2 ? -d : d;
        in.insert(in.end(), {dividend, 1, -2, divisor, 2});
        in.insert(in.end(), {1, -dividend, dividend, divisor, dividend});
      }
  // Quotients in the middle of two subnormal numbers.
  for (float d = 3; d < 32; d += 2)
    for (float q = 1; q < 32; q += 2)
      in.insert(in.end(), {d * q * 0x1p-90f, -d * q * 0x1p-90f, 1, d * 0x1p60f, 1});
  in.resize(in.size() / 320 * 320 + 320, 1);
  compare(in);
}

/// Writes random lines of arithmetic with quotients by few divisors, roots, results of other kinds
/// and stores between them. Thread i reads in[8i...] and writes out[16i...].
class RandomLines {
public:
  explicit RandomLines(uint32_t seed) : random(seed) {}

  std::string kernel() {
    text = head(8, 16);
    for (unsigned argument = 0; argument < 8; ++argument) {
      std::string place = "%p" + std::to_string(argument);
      line(place, "getelementptr float, ptr %p, i32 " + std::to_string(argument));
      define("load float, ptr " + place);
    }
    divisors = {values[0], values[1], "-3.0"};
    unsigned lines = 6 + random() % 24;
    for (unsigned count = 0; count < lines; ++count)
      addLine();
    for (unsigned result = 0; result < 16; ++result)
      store(result, values[values.size() - 1 - result % std::min<size_t>(values.size(), 16)]);
    return text + "  ret void\n}\n";
  }

private:
  void line(const std::string &name, const std::string &what) {
    text += "  " + name + " = " + what + "\n";
  }

  std::string define(const std::string &what) {
    values.push_back("%v" + std::to_string(values.size()));
    line(values.back(), what);
    return values.back();
  }

  /// Returns a value, and rather one of the last ones.
  std::string any() {
    size_t last = random() % 3 ? std::min<size_t>(values.size(), 6) : values.size();
    return values[values.size() - 1 - random() % last];
  }

  void store(unsigned result, const std::string &value) {
    std::string place = "%s" + std::to_string(stores++);
    line(place, "getelementptr float, ptr %q, i32 " + std::to_string(result));
    text += "  store float " + value + ", ptr " + place + "\n";
  }

  void addLine() {
    static const char *const sums[] = {"fadd", "fsub", "fmul"};
    std::string a = any(), b = any();
    switch (random() % 12) {
    case 0:
      define("call float @llvm.sqrt.f32(float " + a + ")");
      break;
    case 1:
      divisors.push_back(define("call float @llvm.fabs.f32(float " + a + ")"));
      break;
    case 2:
      define("call float @llvm.fma.f32(float " + a + ", float " + b + ", float " + any() + ")");
      break;
    case 3:
      define("call float @llvm.minnum.f32(float " + a + ", float " + b + ")");
      break;
    case 4:
      divisors.push_back(a);
      break;
    case 5:
      store(random() % 16, a);
      break;
    case 6:
      define("fdiv float " + std::string(random() % 2 ? "1.0" : "-2.5") + ", " + divisor());
      break;
    case 7:
      define(std::string(sums[random() % 3]) + " float " + a + ", " + b);
      break;
    default:
      define("fdiv float " + a + ", " + divisor());
    }
  }

  std::string divisor() { return divisors[random() % divisors.size()]; }

  std::mt19937 random;
  std::string text;
  std::vector<std::string> values, divisors;
  unsigned stores = 0;
};

TEST_F(JointDivisionsTest, RandomLines) {
  constexpr uint32_t threads = 64, seeds = 40;
  FunctionAnalysisManager functions;
  PassBuilder().registerFunctionAnalyses(functions);
  unsigned joined = 0;
  for (uint32_t seed = 0; seed < seeds; ++seed) {
    std::mt19937 random(seed);
    std::vector<float> in;
    for (uint32_t index = 0; index < threads * 8; ++index) {
      uint32_t far = random() % 4 ? 120 + random() % 16 : random() % 256;
      in.push_back(of(random() % 16 ? far : 0, random));
      if (random() % 16 == 0)
        in.back() = 0;
    }
    std::string text = RandomLines(seed).kernel();
    std::vector<uint32_t> results[2];
    for (bool joins : {false, true}) {
      parse(text);
      if (joins) {
        functions.clear();
        Function &function = *module->getFunction("k");
        nvptx::JointDivisions().run(function, functions);
        ASSERT_FALSE(verifyModule(*module, &errs())) << text;
        joined += function.size() > 1;
      }
      uint64_t from = memory.copyIn(in), to = memory.copyIn(std::vector<float>(threads * 16));
      KernelLaunch launch = {{1, 1, 1}, {threads, 1, 1}, 0, {}};
      ASSERT_EQ(run(launch.with(to).with(from)), std::nullopt) << message << text;
      for (float number : memory.copyOut<float>(to, threads * 16))
        results[joins].push_back(std::isnan(number) ? 0x7fffffff : std::bit_cast<uint32_t>(number));
    }
    ASSERT_EQ(results[0], results[1]) << seed << text;
  }
  EXPECT_GT(joined, seeds / 2);
}

} // namespace
