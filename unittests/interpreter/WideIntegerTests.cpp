//===- WideIntegerTests.cpp - Integers of more than 64 bits ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/interpreter/RunKernel.h"

#include "llvm/Support/Format.h"

using namespace regrain;

namespace {

using Unsigned = unsigned __int128;
using Signed = __int128;

constexpr Unsigned wide(uint64_t high, uint64_t low) { return Unsigned(high) << 64 | low; }

const Unsigned numbers[] = {0,
                            1,
                            63,
                            64,
                            127,
                            wide(0, ~0ull),
                            wide(1, 0),
                            wide(0x123456789abcdef0, 0xfedcba9876543210),
                            wide(0x7fffffffffffffff, ~0ull),
                            wide(0x8000000000000000, 0),
                            wide(~0ull, ~0ull - 6),
                            ~Unsigned(0)};

std::string hex(Unsigned value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format_hex(uint64_t(value >> 64), 18) << ':'
                                 << llvm::format_hex(uint64_t(value), 18);
  return text;
}

class WideIntegers : public RunKernel {
protected:
  /// Parses "k(ptr out)", in which the first two i128 are %a and %b, and %v is
  /// stored after them.
  void parseBody(const std::string &body, const std::string &before = "") {
    parse(before +
          "\ndefine void @k(ptr %out) {\n %a = load i128, ptr %out\n"
          " %q = getelementptr i128, ptr %out, i128 1\n %b = load i128, ptr %q\n"
          " %p = getelementptr i128, ptr %out, i32 2\n" +
          body + "\n store i128 %v, ptr %p\n ret void\n}");
  }

  std::optional<FaultKind> launch(Unsigned a, Unsigned b) {
    out = memory.copyIn(std::vector<Unsigned>{a, b, 0});
    return run(KernelLaunch{{1, 1, 1}, {1, 1, 1}, 0, {}}.with(out));
  }

  Unsigned of(Unsigned a, Unsigned b = 0) {
    EXPECT_EQ(launch(a, b), std::nullopt) << message;
    return memory.copyOut<Unsigned>(out, 3)[2];
  }

  bool isDefined() const { return memory.isDefined(out + 32, 16); }

  /// Checks that `body` computes %v like `function`, for all pairs of numbers.
  template <typename Function>
  void expectAll(const std::string &body, Function function, const std::string &before = "") {
    parseBody(body, before);
    for (Unsigned a : numbers)
      for (Unsigned b : numbers)
        EXPECT_EQ(hex(of(a, b)), hex(function(a, b))) << body << " of " << hex(a) << ' ' << hex(b);
  }
};

TEST_F(WideIntegers, Arithmetic_IsThatOfTheHost) {
  expectAll("%v = add i128 %a, %b", [](Unsigned a, Unsigned b) { return a + b; });
  expectAll("%v = sub i128 %a, %b", [](Unsigned a, Unsigned b) { return a - b; });
  expectAll("%v = mul i128 %a, %b", [](Unsigned a, Unsigned b) { return a * b; });
  expectAll("%v = and i128 %a, %b", [](Unsigned a, Unsigned b) { return a & b; });
  expectAll("%v = or i128 %a, %b", [](Unsigned a, Unsigned b) { return a | b; });
  expectAll("%v = xor i128 %a, %b", [](Unsigned a, Unsigned b) { return a ^ b; });
  std::string divisor = "%odd = or i128 %b, 4\n";
  expectAll(divisor + "%v = udiv i128 %a, %odd",
            [](Unsigned a, Unsigned b) { return a / (b | 4); });
  expectAll(divisor + "%v = urem i128 %a, %odd",
            [](Unsigned a, Unsigned b) { return a % (b | 4); });
  std::string positive = divisor + "%d = lshr i128 %odd, 1\n";
  expectAll(positive + "%v = sdiv i128 %a, %d",
            [](Unsigned a, Unsigned b) { return Signed(a) / Signed((b | 4) >> 1); });
  expectAll(positive + "%v = srem i128 %a, %d",
            [](Unsigned a, Unsigned b) { return Signed(a) % Signed((b | 4) >> 1); });
}

TEST_F(WideIntegers, Shifts_CrossWords) {
  std::string count = "%n = and i128 %b, 127\n";
  expectAll(count + "%v = shl i128 %a, %n",
            [](Unsigned a, Unsigned b) { return a << unsigned(b & 127); });
  expectAll(count + "%v = lshr i128 %a, %n",
            [](Unsigned a, Unsigned b) { return a >> unsigned(b & 127); });
  expectAll(count + "%v = ashr i128 %a, %n",
            [](Unsigned a, Unsigned b) { return Signed(a) >> unsigned(b & 127); });
}

TEST_F(WideIntegers, Comparisons_LookAtAllWords) {
  auto expect = [&](const std::string &predicate, auto holds) {
    expectAll("%c = icmp " + predicate + " i128 %a, %b\n %v = select i1 %c, i128 %b, i128 %a",
              [holds](Unsigned a, Unsigned b) { return holds(a, b) ? b : a; });
  };
  expect("eq", [](Unsigned a, Unsigned b) { return a == b; });
  expect("ne", [](Unsigned a, Unsigned b) { return a != b; });
  expect("ult", [](Unsigned a, Unsigned b) { return a < b; });
  expect("uge", [](Unsigned a, Unsigned b) { return a >= b; });
  expect("slt", [](Unsigned a, Unsigned b) { return Signed(a) < Signed(b); });
  expect("sge", [](Unsigned a, Unsigned b) { return Signed(a) >= Signed(b); });
}

TEST_F(WideIntegers, Conversions_OfIntegers) {
  expectAll("%l = trunc i128 %a to i64\n %z = zext i64 %l to i128\n"
            "%s = trunc i128 %b to i32\n %e = sext i32 %s to i128\n %v = sub i128 %z, %e",
            [](Unsigned a, Unsigned b) { return Unsigned(uint64_t(a)) - Signed(int32_t(b)); });
  expectAll("%s = trunc i128 %a to i96\n %v = sext i96 %s to i128",
            [](Unsigned a, Unsigned) { return Signed(a << 32) >> 32; });
  expectAll(
      "%words = bitcast i128 %a to <4 x i32>\n"
      "%r = shufflevector <4 x i32> %words, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, "
      "i32 1>\n %v = bitcast <4 x i32> %r to i128",
      [](Unsigned a, Unsigned) { return a << 64 | a >> 64; });
}

TEST_F(WideIntegers, Conversions_OfNumbers_RoundOnce) {
  auto bits = [](double value) { return Unsigned(llvm::bit_cast<uint64_t>(value)); };
  auto single = [](float value) { return Unsigned(llvm::bit_cast<uint32_t>(value)); };
  std::string from = "%b0 = bitcast double %d to i64\n %v = zext i64 %b0 to i128";
  expectAll("%d = uitofp i128 %a to double\n" + from,
            [&](Unsigned a, Unsigned) { return bits(double(a)); });
  expectAll("%d = sitofp i128 %a to double\n" + from,
            [&](Unsigned a, Unsigned) { return bits(double(Signed(a))); });
  expectAll("%f = sitofp i128 %a to float\n %w = bitcast float %f to i32\n"
            "%v = zext i32 %w to i128",
            [&](Unsigned a, Unsigned) { return single(float(Signed(a))); });
  parseBody("%l = trunc i128 %a to i64\n %d = bitcast i64 %l to double\n"
            "%v = fptosi double %d to i128");
  EXPECT_EQ(hex(of(bits(-0x1.8p100))), hex(-(Unsigned(3) << 99)));
  EXPECT_EQ(hex(of(bits(-0.75))), hex(Unsigned(0)));
  EXPECT_EQ(hex(of(bits(-0x1p127))), hex(Unsigned(1) << 127));
  (void)of(bits(0x1p127));
  EXPECT_FALSE(isDefined()) << "out of range";
}

TEST_F(WideIntegers, Intrinsics) {
  auto call = [&](const std::string &name, auto function) {
    expectAll("%v = call i128 @llvm." + name + ".i128(i128 %a, i128 %b)", function,
              "declare i128 @llvm." + name + ".i128(i128, i128)");
  };
  call("umin", [](Unsigned a, Unsigned b) { return std::min(a, b); });
  call("smax", [](Unsigned a, Unsigned b) { return std::max(Signed(a), Signed(b)); });
  call("usub.sat", [](Unsigned a, Unsigned b) { return a > b ? a - b : 0; });
  call("uadd.sat", [](Unsigned a, Unsigned b) { return a + b < a ? ~Unsigned(0) : a + b; });
  expectAll(
      "%v = call i128 @llvm.fshl.i128(i128 %a, i128 %b, i128 %b)",
      [](Unsigned a, Unsigned b) {
        unsigned n = unsigned(b % 128);
        return n ? a << n | b >> (128 - n) : a;
      },
      "declare i128 @llvm.fshl.i128(i128, i128, i128)");
  expectAll(
      "%v = call i128 @llvm.fshr.i128(i128 %a, i128 %b, i128 %a)",
      [](Unsigned a, Unsigned b) {
        unsigned n = unsigned(a % 128);
        return n ? a << (128 - n) | b >> n : b;
      },
      "declare i128 @llvm.fshr.i128(i128, i128, i128)");
  parseBody("%v = call i128 @llvm.ctlz.i128(i128 %a, i1 false)",
            "declare i128 @llvm.ctlz.i128(i128, i1)");
  EXPECT_EQ(hex(of(wide(1, 5))), hex(Unsigned(63)));
  EXPECT_EQ(hex(of(1)), hex(Unsigned(127)));
  EXPECT_EQ(hex(of(0)), hex(Unsigned(128)));
  parseBody("%v = call i128 @llvm.cttz.i128(i128 %a, i1 true)",
            "declare i128 @llvm.cttz.i128(i128, i1)");
  EXPECT_EQ(hex(of(wide(4, 0))), hex(Unsigned(66)));
  (void)of(0);
  EXPECT_FALSE(isDefined());
}

TEST_F(WideIntegers, OverflowIsOfAllBits) {
  auto overflow = [&](const std::string &name, bool (*overflows)(Unsigned, Unsigned)) {
    expectAll("%r = call {i128, i1} @llvm." + name +
                  ".with.overflow.i128(i128 %a, i128 %b)\n"
                  "%o = extractvalue {i128, i1} %r, 1\n %v = zext i1 %o to i128",
              overflows, "declare {i128, i1} @llvm." + name + ".with.overflow.i128(i128, i128)");
  };
  overflow("umul", [](Unsigned a, Unsigned b) { return __builtin_mul_overflow(a, b, &a); });
  overflow("uadd", [](Unsigned a, Unsigned b) { return __builtin_add_overflow(a, b, &a); });
  overflow("ssub", [](Unsigned a, Unsigned b) {
    Signed result;
    return __builtin_sub_overflow(Signed(a), Signed(b), &result);
  });
}

TEST_F(WideIntegers, ArePassedAndChosenWhole) {
  expectAll(
      R"(
  %zero = icmp eq i128 %a, 0
  br i1 %zero, label %join, label %loop
loop:
  %i = phi i128 [ %a, %0 ], [ %next, %loop ]
  %n = phi i128 [ 0, %0 ], [ %m, %loop ]
  %m = add i128 %n, 18446744073709551617
  %next = lshr i128 %i, 1
  %more = icmp ne i128 %next, 0
  br i1 %more, label %loop, label %join
join:
  %bits = phi i128 [ 0, %0 ], [ %m, %loop ]
  %v = call i128 @sum({i128, i32} poison, i128 %bits, i128 %b))",
      [](Unsigned a, Unsigned b) {
        Unsigned bits = 0;
        for (; a; a >>= 1)
          bits += wide(1, 1);
        return bits + b;
      },
      R"(
define i128 @sum({i128, i32} %s, i128 %x, i128 %y) {
  %t = insertvalue {i128, i32} %s, i128 %y, 0
  %y1 = extractvalue {i128, i32} %t, 0
  %r = add i128 %x, %y1
  ret i128 %r
})");
}

TEST_F(WideIntegers, VectorsOfThem) {
  expectAll(R"(
  %v0 = insertelement <2 x i128> poison, i128 %a, i32 0
  %v1 = insertelement <2 x i128> %v0, i128 %b, i32 1
  %turned = shufflevector <2 x i128> %v1, <2 x i128> poison, <2 x i32> <i32 1, i32 0>
  %less = icmp ult <2 x i128> %v1, %turned
  %least = select <2 x i1> %less, <2 x i128> %v1, <2 x i128> %turned
  %twice = add <2 x i128> %least, <i128 0, i128 36893488147419103232>
  %v = extractelement <2 x i128> %twice, i32 1)",
            [](Unsigned a, Unsigned b) { return std::min(a, b) + wide(2, 0); });
}

TEST_F(WideIntegers, UndefinedBits_SpreadAsCarriesDo) {
  auto defined = [&](const std::string &body) {
    parseBody("%u = freeze i128 %a\n" + body);
    return of(3, 5), isDefined();
  };
  std::string half = "%low = alloca i128\n store i64 1, ptr %low\n %x = load i128, ptr %low\n";
  EXPECT_FALSE(defined(half + "%v = add i128 %x, %a"));
  EXPECT_TRUE(defined(half + "%m = and i128 %x, 18446744073709551615\n %v = mul i128 %m, %a"));
  EXPECT_TRUE(defined(half + "%s = shl i128 %x, 64\n %v = add i128 %s, %a"));
  EXPECT_TRUE(defined(half + "%s = add i128 %x, %a\n %t = trunc i128 %s to i64\n"
                             "%v = zext i64 %t to i128"));
  EXPECT_FALSE(defined(half + "%l = lshr i128 %x, 64\n %s = add i128 %l, %a\n"
                              "%v = lshr i128 %s, 64"))
      << "a carry out of the low word";
  EXPECT_TRUE(defined(half + "%f = freeze i128 %x\n %v = or i128 %f, %a"));
  EXPECT_TRUE(defined(half + "%c = icmp eq i128 %x, %b\n %v = zext i1 %c to i128"))
      << "the low words differ";
  EXPECT_FALSE(defined(half + "%c = icmp eq i128 %x, 1\n %v = zext i1 %c to i128"));
  // Poison stays poison under a mask, in every word.
  EXPECT_FALSE(defined("%x = shl nuw i128 %a, 127\n %v = and i128 %x, 0"));
  EXPECT_FALSE(defined("%x = lshr exact i128 %a, 1\n %m = trunc i128 %x to i64\n"
                       "%n = and i64 %m, 0\n %v = zext i64 %n to i128"));
  EXPECT_FALSE(defined("%v = shl i128 %a, 128"));
  EXPECT_FALSE(defined("%x = or disjoint i128 %a, %b\n %v = lshr i128 %x, 64"));
}

TEST_F(WideIntegers, DivisionFaults) {
  parseBody("%v = sdiv i128 %a, %b");
  EXPECT_EQ(launch(1, 0), FaultKind::DivisionByZero);
  EXPECT_EQ(launch(Unsigned(1) << 127, ~Unsigned(0)), FaultKind::DivisionByZero);
  EXPECT_EQ(launch(wide(1, 0), wide(1, 0)), std::nullopt) << message;
  parseBody("%low = alloca i128\n store i64 1, ptr %low\n %x = load i128, ptr %low\n"
            "%v = urem i128 %a, %x");
  EXPECT_EQ(launch(1, 1), FaultKind::UndefinedValue);
}

TEST_F(WideIntegers, Constants_OfVariablesAndOfThreeWords) {
  parseBody("%g = load i128, ptr addrspace(1) @g\n %x = zext i128 %g to i192\n"
            "%y = shl i192 %x, 60\n %z = add i192 %y, 1234567890123456789012345678901234567890\n"
            "%w = lshr i192 %z, 64\n %v = trunc i192 %w to i128",
            "@g = addrspace(1) global i128 170141183460469231731687303715884105727");
  ASSERT_FALSE(memory.defineVariables(*module));
  // (2^127 - 1) * 2^60 + 1234567890123456789012345678901234567890, over 2^64.
  Unsigned low = ((Unsigned(1) << 127) - 1) << 60,
           addend = wide(0xa0c92075c0dbf3b8, 0xacbc5f96ce3f0ad2);
  Unsigned high = (((Unsigned(1) << 127) - 1) >> 68) + 3 + (low + addend < low);
  EXPECT_EQ(hex(of(0)), hex(high << 64 | (low + addend) >> 64));
}

} // namespace
