//===- IntegerBuiltinTests.cpp - Integer functions and atomics by enumeration ===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer device functions and atomic operations are compared with definitions
// that are written bit by bit, or in wider numbers, on numbers at the ends and in
// between.
//
//===----------------------------------------------------------------------===//
#include "unittests/interpreter/RunKernel.h"

using namespace regrain;

namespace {

using Wide = __int128;

const std::vector<uint64_t> samples = {0,          1,          2,          7,          0x80,
                                       0xff,       0x8000,     0x12345678, 0x7fffff,   0x800000,
                                       0xffffff,   0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe,
                                       0xffffffff, 0x9abcdef0};

int32_t sign(uint64_t bits) { return int32_t(uint32_t(bits)); }

unsigned bitsSet(uint64_t bits, unsigned width) {
  unsigned count = 0;
  for (unsigned i = 0; i < width; ++i)
    count += bits >> i & 1;
  return count;
}
/// Returns how many zeros stand above the highest set bit.
unsigned zerosAbove(uint64_t bits, unsigned width) {
  unsigned count = 0;
  while (count < width && !(bits >> (width - 1 - count) & 1))
    ++count;
  return count;
}
/// Returns the position of the lowest set bit, counted from 1; 0 if there is none.
unsigned firstSet(uint64_t bits, unsigned width) {
  for (unsigned i = 0; i < width; ++i)
    if (bits >> i & 1)
      return i + 1;
  return 0;
}
uint64_t reversed(uint64_t bits, unsigned width) {
  uint64_t result = 0;
  for (unsigned i = 0; i < width; ++i)
    if (bits >> i & 1)
      result += uint64_t(1) << (width - 1 - i);
  return result;
}
/// Returns the low 24 bits as a signed number.
Wide signed24(uint64_t bits) {
  Wide number = bits % (1 << 24);
  return number >= 1 << 23 ? number - (1 << 24) : number;
}
/// Rounds a quotient by two towards minus infinity.
Wide half(Wide number) { return number >= 0 ? number / 2 : -((1 - number) / 2); }

uint32_t picked(uint32_t a, uint32_t b, uint32_t selectors) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned position = (selectors >> 4 * i) % 8;
    uint32_t byte = position < 4 ? a >> 8 * position : b >> 8 * (position - 4);
    result += (byte % 256) << 8 * i;
  }
  return result;
}

class IntegerBuiltins : public RunKernel {
protected:
  /// Parses a kernel that calls @__nv_NAME of `count` numbers.
  void parseCall(const std::string &name, unsigned count, const std::string &type) {
    std::string types, arguments;
    for (unsigned i = 0; i < count; ++i) {
      types += (i ? ", " : "") + type;
      arguments += (i ? ", " : "") + type + " %x" + std::to_string(i);
    }
    bool countsBits = name == "popcll" || name == "clzll" || name == "ffsll";
    std::string result = countsBits ? "i32" : type;
    parse("declare " + result + " @__nv_" + name + "(" + types + ")\ndefine void @k(ptr %out, " +
          type + " %x0, " + type + " %x1, " + type + " %x2) {\n  %r = call " + result + " @__nv_" +
          name + "(" + arguments + ")\n  store " + result + " %r, ptr %out\n  ret void\n}\n");
  }

  template <typename T> T call(T a, T b, T c) {
    uint64_t result = memory.copyIn(std::vector<T>(1));
    KernelLaunch launch;
    EXPECT_EQ(run(launch.with(result).with(a).with(b).with(c)), std::nullopt) << message;
    return memory.copyOut<T>(result, 1).front();
  }

  template <typename Reference>
  void check(const std::string &name, unsigned count, Reference reference) {
    parseCall(name, count, "i32");
    for (uint64_t a : samples)
      for (uint64_t b : count > 1 ? samples : std::vector<uint64_t>{0})
        for (uint64_t c : count > 2 ? std::vector<uint64_t>{0, 9, 0x7654, 0xfedc, 0xffffffff}
                                    : std::vector<uint64_t>{0})
          EXPECT_EQ(call(uint32_t(a), uint32_t(b), uint32_t(c)), uint32_t(reference(a, b, c)))
              << name << " of " << a << ", " << b << ", " << c;
  }
  template <typename Reference>
  void checkWide(const std::string &name, unsigned count, Reference reference) {
    parseCall(name, count, "i64");
    for (uint64_t low : samples)
      for (uint64_t high : samples) {
        uint64_t a = high << 32 | low, b = low << 32 | high;
        EXPECT_EQ(call<uint64_t>(a, b, 0), uint64_t(reference(a, b)))
            << name << " of " << a << ", " << b;
      }
  }
};

TEST_F(IntegerBuiltins, BitsAreCounted) {
  check("popc", 1, [](auto a, auto, auto) { return bitsSet(a, 32); });
  check("clz", 1, [](auto a, auto, auto) { return zerosAbove(a, 32); });
  check("ffs", 1, [](auto a, auto, auto) { return firstSet(a, 32); });
  check("brev", 1, [](auto a, auto, auto) { return reversed(a, 32); });
  checkWide("popcll", 1, [](auto a, auto) { return bitsSet(a, 64); });
  checkWide("clzll", 1, [](auto a, auto) { return zerosAbove(a, 64); });
  checkWide("ffsll", 1, [](auto a, auto) { return firstSet(a, 64); });
  checkWide("brevll", 1, [](auto a, auto) { return reversed(a, 64); });
}

TEST_F(IntegerBuiltins, ProductsAreThoseOfWideNumbers) {
  check("mulhi", 2, [](auto a, auto b, auto) { return Wide(sign(a)) * sign(b) >> 32; });
  check("umulhi", 2, [](auto a, auto b, auto) { return Wide(a) * b >> 32; });
  check("mul24", 2, [](auto a, auto b, auto) { return signed24(a) * signed24(b); });
  check("umul24", 2, [](auto a, auto b, auto) { return Wide(a % (1 << 24)) * (b % (1 << 24)); });
  checkWide("mul64hi", 2, [](auto a, auto b) { return Wide(int64_t(a)) * int64_t(b) >> 64; });
  checkWide("umul64hi", 2, [](auto a, auto b) {
    // By halves, since no number has 128 bits without a sign here.
    uint64_t al = uint32_t(a), ah = a >> 32, bl = uint32_t(b), bh = b >> 32;
    uint64_t middle = (al * bl >> 32) + uint32_t(ah * bl) + uint32_t(al * bh);
    return ah * bh + (ah * bl >> 32) + (al * bh >> 32) + (middle >> 32);
  });
}

TEST_F(IntegerBuiltins, DifferencesAndMeansDoNotWrap) {
  check("abs", 1, [](auto a, auto, auto) { return sign(a) < 0 ? -Wide(sign(a)) : Wide(sign(a)); });
  check("sad", 3, [](auto a, auto b, auto c) {
    Wide difference = Wide(sign(a)) - sign(b);
    return (difference < 0 ? -difference : difference) + Wide(c);
  });
  check("usad", 3, [](auto a, auto b, auto c) { return (a > b ? a - b : b - a) + c; });
  check("hadd", 2, [](auto a, auto b, auto) { return half(Wide(sign(a)) + sign(b)); });
  check("rhadd", 2, [](auto a, auto b, auto) { return half(Wide(sign(a)) + sign(b) + 1); });
  check("uhadd", 2, [](auto a, auto b, auto) { return half(Wide(a) + b); });
  check("urhadd", 2, [](auto a, auto b, auto) { return half(Wide(a) + b + 1); });
  check("min", 2, [](auto a, auto b, auto) { return sign(a) < sign(b) ? a : b; });
  check("umax", 2, [](auto a, auto b, auto) { return a > b ? a : b; });
}

TEST_F(IntegerBuiltins, BytesAreSelected) {
  check("byte_perm", 3,
        [](auto a, auto b, auto c) { return picked(uint32_t(a), uint32_t(b), uint32_t(c)); });
}

TEST_F(IntegerBuiltins, AtomicsCombineAndReturnTheOldValue) {
  using Combine = uint32_t (*)(uint32_t, uint32_t);
  const std::vector<std::pair<const char *, Combine>> operations = {
      {"xchg", [](uint32_t, uint32_t b) { return b; }},
      {"add", [](uint32_t a, uint32_t b) { return uint32_t(Wide(a) + b); }},
      {"sub", [](uint32_t a, uint32_t b) { return uint32_t(Wide(a) - b); }},
      {"and", [](uint32_t a, uint32_t b) { return uint32_t(~(~a | ~b)); }},
      {"nand", [](uint32_t a, uint32_t b) { return uint32_t(~a | ~b); }},
      {"or", [](uint32_t a, uint32_t b) { return uint32_t(~(~a & ~b)); }},
      {"xor", [](uint32_t a, uint32_t b) { return uint32_t((a & ~b) | (~a & b)); }},
      {"max", [](uint32_t a, uint32_t b) { return sign(a) > sign(b) ? a : b; }},
      {"min", [](uint32_t a, uint32_t b) { return sign(a) < sign(b) ? a : b; }},
      {"umax", [](uint32_t a, uint32_t b) { return a > b ? a : b; }},
      {"umin", [](uint32_t a, uint32_t b) { return a < b ? a : b; }},
      {"uinc_wrap", [](uint32_t a, uint32_t b) { return a < b ? a + 1 : 0; }},
      {"udec_wrap", [](uint32_t a, uint32_t b) { return a == 0 || a > b ? b : a - 1; }}};
  for (auto [name, combine] : operations) {
    parse(std::string("define void @k(ptr %p, ptr %old, i32 %b) {\n  %r = atomicrmw ") + name +
          " ptr %p, i32 %b monotonic\n  store i32 %r, ptr %old\n  ret void\n}\n");
    for (uint64_t a : samples)
      for (uint64_t b : samples) {
        uint64_t cell = memory.copyIn(std::vector<uint32_t>{uint32_t(a)});
        uint64_t old = memory.copyIn(std::vector<uint32_t>(1));
        KernelLaunch launch;
        ASSERT_EQ(run(launch.with(cell).with(old).with(uint32_t(b))), std::nullopt) << message;
        EXPECT_EQ(memory.copyOut<uint32_t>(old, 1).front(), a) << name;
        EXPECT_EQ(memory.copyOut<uint32_t>(cell, 1).front(), combine(uint32_t(a), uint32_t(b)))
            << name << " of " << a << ", " << b;
      }
  }
}

} // namespace
