//===- short_floats.cu - All numbers of half and bfloat16 -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of one number run on all numbers, in every rounding; conversions from
// float, double and integers on drawn values and next to the middles between two
// numbers; functions of several numbers on drawn and special ones. The kernel and the
// host give the bits of a reference that searches the number in 113 bits.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*Bfloat*:block.x=2' --coarsen='*Half*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// At other grains, the kernel gives what the host gives, which has been compared with the reference.
// RUN: env REGRAIN_VERBOSE=1 timeout 60 %t without-reference 2>&1 | FileCheck %s
// CHECK-DAG: ones<Half>{{.*}}: thread.x=2 (chosen when compiled)
// CHECK-DAG: ones<Bfloat>{{.*}}: block.x=2 (chosen when compiled)
#include "expect.h"
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define BOTH static __host__ __device__

/// Names the functions of a format alike. A finite number is a whole number below 2^(bits + 1),
/// times a power of 2 that is at least 2^lowest.
#define FORMAT(FORMAT, SCALAR, PAIR, NAME, BITS, LOWEST)                                           \
  struct FORMAT {                                                                                  \
    using Scalar = SCALAR;                                                                         \
    using Pair = PAIR;                                                                             \
    static constexpr int bits = BITS, lowest = LOWEST;                                             \
    BOTH Scalar of(unsigned code) { return __ushort_as_##NAME((unsigned short)code); }             \
    BOTH unsigned code(Scalar x) { return __##NAME##_as_ushort(x); }                               \
    BOTH Scalar ofDouble(double x) { return __double2##NAME(x); }                                  \
    BOTH void ofFloat(int64_t *out, float x) {                                                     \
      out[0] = code(__float2##NAME##_rn(x));                                                       \
      out[1] = code(__float2##NAME##_rz(x));                                                       \
      out[2] = code(__float2##NAME##_rd(x));                                                       \
      out[3] = code(__float2##NAME##_ru(x));                                                       \
    }                                                                                              \
    BOTH void ofIntegers(int64_t *out, int64_t x) {                                                \
      out[0] = code(__ll2##NAME##_rn(x));                                                          \
      out[1] = code(__ll2##NAME##_rz(x));                                                          \
      out[2] = code(__ll2##NAME##_rd(x));                                                          \
      out[3] = code(__ll2##NAME##_ru(x));                                                          \
      out[4] = code(__ull2##NAME##_rn(x));                                                         \
      out[5] = code(__ull2##NAME##_ru(x));                                                         \
      out[6] = code(__int2##NAME##_rn(int(x)));                                                    \
      out[7] = code(__uint2##NAME##_rd(unsigned(x)));                                              \
      out[8] = code(__short2##NAME##_rz(short(x)));                                                \
      out[9] = code(__ushort2##NAME##_ru((unsigned short)x));                                      \
    }                                                                                              \
    BOTH void integers(int64_t *out, Scalar x) {                                                   \
      out[0] = __##NAME##2ll_rn(x);                                                                \
      out[1] = __##NAME##2ll_rz(x);                                                                \
      out[2] = __##NAME##2ll_rd(x);                                                                \
      out[3] = __##NAME##2ll_ru(x);                                                                \
      out[4] = int64_t(__##NAME##2ull_rn(x));                                                      \
      out[5] = __##NAME##2int_rn(x);                                                               \
      out[6] = __##NAME##2int_rd(x);                                                               \
      out[7] = __##NAME##2uint_rz(x);                                                              \
      out[8] = __##NAME##2uint_ru(x);                                                              \
      out[9] = __##NAME##2short_rn(x);                                                             \
      out[10] = __##NAME##2ushort_rz(x);                                                           \
      out[11] = __##NAME##2char_rz(x);                                                             \
      out[12] = __##NAME##2uchar_rz(x);                                                            \
    }                                                                                              \
  }
FORMAT(Half, half, half2, half, 10, -24);
FORMAT(Bfloat, __nv_bfloat16, __nv_bfloat162, bfloat16, 7, -133);

constexpr int count = 65536, results = 32;

struct Input {
  unsigned short a, b, c;
  float single;
  double wide;
  int64_t whole;
};

template <class F> __host__ __device__ void one(int64_t *out, unsigned number, Input in) {
  typename F::Scalar x = F::of(number);
  F::integers(out, x);
  out[13] = F::code(hfloor(x));
  out[14] = F::code(hceil(x));
  out[15] = F::code(htrunc(x));
  out[16] = F::code(hrint(x));
  out[17] = F::code(hsqrt(x));
  out[18] = F::code(hrcp(x));
  F::ofFloat(out + 19, in.single);
  out[23] = F::code(F::ofDouble(in.wide));
  out[24] = F::code(-__habs(x));
  out[25] = __hisnan(x) | (__hisinf(x) + 1) << 1;
}

template <class F> __host__ __device__ void several(int64_t *out, Input in) {
  typename F::Scalar a = F::of(in.a), b = F::of(in.b), c = F::of(in.c);
  typename F::Pair p(a, b), q(b, c), r(c, a);
  F::ofIntegers(out, in.whole);
  out[10] = F::code(a + b);
  out[11] = F::code(a - b);
  out[12] = F::code(a * b);
  out[13] = F::code(a / b);
  out[14] = F::code(__hfma(a, b, c));
  out[15] = F::code(__hfma2(p, q, r).x);
  out[16] = F::code(__hmax(a, b));
  out[17] = F::code(__hmin(a, b));
  out[18] = F::code(__hmax2_nan(p, q).x);
  out[19] = F::code(__hmin_nan(a, b));
  out[20] = F::code(__hadd2_sat(p, q).x);
  out[21] = F::code(__hfma_relu(a, b, c));
  out[22] = F::code((p + q).y);
  out[23] = F::code((p * q).y);
  out[24] = (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5;
  out[25] = __hne(a, b) | __hequ(a, b) << 1 | __hltu(a, b) << 2 | __hgeu(a, b) << 3;
  out[26] = __hle2_mask(p, q);
  out[27] = __hbeq2(p, q) | (p > q) << 1;
  out[28] = F::code(__hgtu2(p, q).y);
}

template <class F> __global__ void ones(int64_t *out, const Input *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  one<F>(out + results * i, i, in[i]);
}
template <class F> __global__ void severals(int64_t *out, const Input *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  several<F>(out + results * i, in[i]);
}

// Kernels need to be made in the device's pass as well, which has no numbers of 113 bits.
template __global__ void ones<Half>(int64_t *, const Input *);
template __global__ void ones<Bfloat>(int64_t *, const Input *);
template __global__ void severals<Half>(int64_t *, const Input *);
template __global__ void severals<Bfloat>(int64_t *, const Input *);

#if !defined(__CUDA_ARCH__)
using Wide = __float128;
enum Rounding { Near, Zero, Down, Up };

Wide scaled(Wide value, int exponent) {
  for (; exponent > 0; --exponent)
    value *= 2;
  for (; exponent < 0; ++exponent)
    value /= 2;
  return value;
}

/// The reference. Codes without a sign grow with their values; the infinite one stands for the
/// number that would follow the largest.
template <class F> struct Reference {
  static constexpr unsigned infinity = 0x7fff >> F::bits << F::bits;
  static bool isNaN(unsigned code) { return (code & 0x7fff) > infinity; }
  static bool isInfinite(unsigned code) { return (code & 0x7fff) == infinity; }
  static Wide number(unsigned code) {
    static std::vector<Wide> table = [] {
      std::vector<Wide> numbers;
      for (unsigned i = 0; i <= infinity; ++i) {
        unsigned fraction = i & ((1u << F::bits) - 1), exponent = i >> F::bits;
        numbers.push_back(exponent == 0
                              ? scaled(fraction, F::lowest)
                              : scaled(fraction + (1u << F::bits), F::lowest + int(exponent) - 1));
      }
      return numbers;
    }();
    return code >> 15 ? -table[code & 0x7fff] : table[code & 0x7fff];
  }
  static unsigned round(Wide value, Rounding rounding, unsigned signOfZero = 0) {
    bool isNegative = value < 0;
    unsigned sign = isNegative ? 0x8000 : value == 0 ? signOfZero & 0x8000 : 0;
    Wide size = isNegative ? -value : value;
    unsigned low = 0, high = infinity;
    while (high - low > 1) {
      unsigned middle = (low + high) / 2;
      (number(middle) <= size ? low : high) = middle;
    }
    if (size == number(low))
      return sign | low;
    Wide below = size - number(low), above = number(high) - size;
    bool grows = rounding == Near   ? above < below || (above == below && low % 2 != 0)
                 : rounding == Down ? isNegative
                                    : rounding == Up && !isNegative;
    return sign | (grows ? high : low);
  }
};

/// Returns a sum. Where 113 bits do not hold it, the result is on the same side of every short
/// number and of every middle between two.
Wide sumOf(Wide a, Wide b) {
  bool swap = a * a < b * b;
  Wide sum = a + b, larger = swap ? b : a, smaller = swap ? a : b;
  bool isExact = sum - larger == smaller;
  Wide step = scaled(larger < 0 ? -larger : larger, -100);
  return isExact ? sum : larger + (smaller > 0 ? step : -step);
}

/// Returns the whole number that a finite value becomes.
Wide wholeOf(Wide value, Rounding rounding) {
  Wide limit = scaled(1, 112);
  if (value >= limit || value <= -limit)
    return value;
  Wide low = Wide(__int128(value));
  if (low > value)
    low -= 1;
  Wide rest = value - low;
  bool isOdd = __int128(low) % 2 != 0;
  bool grows = rounding == Near   ? rest > 0.5 || (rest == 0.5 && isOdd)
               : rounding == Zero ? value < 0 && rest > 0
                                  : rounding == Up && rest > 0;
  return grows ? low + 1 : low;
}

template <class F, class Integer> int64_t integerOf(unsigned code, Rounding rounding) {
  using R = Reference<F>;
  constexpr bool isSigned = Integer(-1) < Integer(0);
  constexpr int width = 8 * sizeof(Integer);
  Wide highest = scaled(1, width - isSigned) - 1, lowest = isSigned ? -highest - 1 : 0;
  if (R::isNaN(code))
    return width == 64 ? INT64_MIN : 0;
  Wide value = R::isInfinite(code) ? (code >> 15 ? -scaled(1, 200) : scaled(1, 200))
                                   : wholeOf(R::number(code), rounding);
  return int64_t(value >= highest  ? Integer(highest)
                 : value <= lowest ? Integer(lowest)
                                   : Integer(value));
}

/// Compares codes; all NaNs are alike.
template <class F> bool same(int64_t got, unsigned wanted) {
  return got == wanted || (Reference<F>::isNaN(unsigned(got)) && Reference<F>::isNaN(wanted));
}

template <class F> void checkOne(const int64_t *out, unsigned x, Input in) {
  using R = Reference<F>;
  const int64_t wanted[] = {integerOf<F, long long>(x, Near),
                            integerOf<F, long long>(x, Zero),
                            integerOf<F, long long>(x, Down),
                            integerOf<F, long long>(x, Up),
                            integerOf<F, unsigned long long>(x, Near),
                            integerOf<F, int>(x, Near),
                            integerOf<F, int>(x, Down),
                            integerOf<F, unsigned>(x, Zero),
                            integerOf<F, unsigned>(x, Up),
                            integerOf<F, short>(x, Near),
                            integerOf<F, unsigned short>(x, Zero),
                            integerOf<F, signed char>(x, Zero),
                            integerOf<F, unsigned char>(x, Zero)};
  for (int i = 0; i < 13; ++i)
    expect(out[i] == wanted[i], "integer", x * 100 + i, double(out[i]), double(wanted[i]));
  const Rounding roundings[] = {Down, Up, Zero, Near};
  for (int i = 0; i < 4; ++i) {
    unsigned whole = R::isNaN(x) || R::isInfinite(x)
                         ? x
                         : R::round(wholeOf(R::number(x), roundings[i]), Near, x);
    expect(same<F>(out[13 + i], whole), "whole", x * 10 + i, double(out[13 + i]), whole);
  }
  if (!R::isNaN(x) && !R::isInfinite(x) && (x & 0x7fff) != 0) {
    double value = double(R::number(x));
    unsigned root = x >> 15 ? 0x7fff : R::round(Wide(std::sqrt(value)), Near);
    expect(same<F>(out[17], root), "root", x, double(out[17]), root);
    unsigned reciprocal = R::round(1 / R::number(x), Near);
    expect(same<F>(out[18], reciprocal), "reciprocal", x, double(out[18]), reciprocal);
  }
  const Rounding fromFloat[] = {Near, Zero, Down, Up};
  bool isNegative = std::signbit(in.single);
  for (int i = 0; i < 4; ++i) {
    unsigned code = std::isnan(in.single) ? 0x7fff
                    : std::isinf(in.single)
                        ? R::infinity | (isNegative ? 0x8000u : 0u)
                        : R::round(in.single, fromFloat[i], isNegative ? 0x8000 : 0);
    expect(same<F>(out[19 + i], code), "from float", x * 10 + i, double(out[19 + i]), code);
  }
  expectEqual("from double", x, out[23], R::round(in.wide, Near));
  expectEqual("signs", x, out[24], x | 0x8000);
  expectEqual("kind", x, out[25],
              R::isNaN(x) | ((R::isInfinite(x) ? (x >> 15 ? -1 : 1) : 0) + 1) << 1);
}

template <class F> void checkSeveral(const int64_t *out, long index, Input in) {
  using R = Reference<F>;
  int64_t whole = in.whole;
  const unsigned ofWhole[] = {R::round(whole, Near),           R::round(whole, Zero),
                              R::round(whole, Down),           R::round(whole, Up),
                              R::round(uint64_t(whole), Near), R::round(uint64_t(whole), Up),
                              R::round(int(whole), Near),      R::round(unsigned(whole), Down),
                              R::round(short(whole), Zero),    R::round((unsigned short)whole, Up)};
  for (int i = 0; i < 10; ++i)
    expectEqual("from an integer", index * 100 + i, out[i], ofWhole[i]);

  unsigned a = in.a, b = in.b, c = in.c;
  bool aNaN = R::isNaN(a), bNaN = R::isNaN(b), cNaN = R::isNaN(c), unordered = aNaN || bNaN;
  auto is = [&](const char *what, int i, unsigned code) {
    expect(same<F>(out[i], code), what, index, double(out[i]), code);
  };
  bool finite = (a & 0x7fff) < R::infinity && (b & 0x7fff) < R::infinity;
  if (finite) {
    // IEEE's rules for the sign of zero, which float has as well
    float x = float(R::number(a)), y = float(R::number(b));
    auto signOf = [](float zero) { return std::signbit(zero) ? 0x8000u : 0u; };
    Wide wideA = R::number(a), wideB = R::number(b);
    unsigned sum = R::round(sumOf(wideA, wideB), Near, signOf(x + y));
    unsigned product = R::round(wideA * wideB, Near, (a ^ b) & 0x8000);
    is("sum", 10, sum);
    is("difference", 11, R::round(sumOf(wideA, -wideB), Near, signOf(x - y)));
    is("product", 12, product);
    if (y != 0)
      is("quotient", 13, R::round(wideA / wideB, Near, (a ^ b) & 0x8000));
    is("saturated", 20, sum >> 15 ? 0 : R::number(sum) > 1 ? R::round(1, Near) : sum);
    if ((c & 0x7fff) < R::infinity) {
      double product = double(x) * double(y);
      unsigned fused = R::round(sumOf(wideA * wideB, R::number(c)), Near,
                                signOf(float(product + double(R::number(c)))));
      is("fused", 14, fused);
      is("fused in a pair", 15, fused);
      is("rectified", 21, fused >> 15 ? 0 : fused);
      Wide wideC = R::number(c);
      float z = float(wideC);
      is("sum in a pair", 22, R::round(sumOf(wideB, wideC), Near, signOf(y + z)));
      is("product in a pair", 23, R::round(wideB * wideC, Near, (b ^ c) & 0x8000));
    }
  } else if (unordered) {
    for (int i = 10; i < 16; ++i)
      is("NaN", i, 0x7fff);
    is("saturated NaN", 20, 0);
    is("rectified NaN", 21, 0x7fff);
  }
  auto order = [](unsigned code) { return code >> 15 ? -int(code & 0x7fff) : int(code); };
  bool aIsLarger = order(a) > order(b) || (order(a) == order(b) && a >> 15 == 0);
  unsigned largest = aNaN ? b : bNaN ? a : aIsLarger ? a : b;
  unsigned smallest = aNaN ? b : bNaN ? a : aIsLarger ? b : a;
  is("maximum", 16, largest);
  is("minimum", 17, smallest);
  is("maximum or NaN", 18, unordered ? 0x7fff : largest);
  is("minimum or NaN", 19, unordered ? 0x7fff : smallest);

  int first = order(a), second = order(b), third = order(c);
  int comparisons = unordered ? 2
                              : (first == second) | (first != second) << 1 | (first < second) << 2 |
                                    (first <= second) << 3 | (first > second) << 4 |
                                    (first >= second) << 5;
  expectEqual("compared", index, out[24], comparisons);
  expectEqual("compared with NaN", index, out[25],
              unordered ? 14
                        : (first != second) | (first == second) << 1 | (first < second) << 2 |
                              (first >= second) << 3);
  bool highUnordered = bNaN || cNaN;
  unsigned mask = (!unordered && first <= second ? 0xffffu : 0) |
                  (!highUnordered && second <= third ? 0xffff0000u : 0);
  expectEqual("mask", index, out[26], mask);
  bool bothEqual = !unordered && !highUnordered && first == second && second == third;
  bool bothGreater = !unordered && !highUnordered && first > second && second > third;
  expectEqual("pair", index, out[27], bothEqual | bothGreater << 1);
  is("one or zero", 28, highUnordered || second > third ? R::round(1, Near) : 0);
}

template <class F> std::vector<Input> draw() {
  std::vector<Input> all(count);
  uint64_t state = 12345;
  auto next = [&] {
    return (state = state * 6364136223846793005ull + 1442695040888963407ull) >> 20;
  };
  const unsigned short special[] = {
      0, 0x8000, 1, 0x8001, 0x7fff, Reference<F>::infinity, Reference<F>::infinity - 1, 0x3c00};
  for (int i = 0; i < count; ++i) {
    auto number = [&] { return next() % 16 == 0 ? special[next() % 8] : (unsigned short)next(); };
    Input &in = all[i];
    in = {number(), number(), number(), 0, 0, 0};
    if (next() % 4 == 0) // a product near the middle of two numbers, which a small sum decides
      in.c = (unsigned short)(F::code(F::of(in.a) * F::of(in.b)) & 0x8000) ^ (next() & 0x83ff);
    if (next() % 8 == 0)
      in.b = in.a;
    // Each number, a middle next to it, and their neighbours in float and double
    unsigned code = i & 0xffff;
    double value = 0;
    if ((code & 0x7fff) < Reference<F>::infinity)
      value = double(Reference<F>::number(code));
    if (next() % 2 && (code & 0x7fff) < Reference<F>::infinity)
      value = (value + double(Reference<F>::number(code + 1))) / 2;
    in.single = float(value);
    int side = int(next() % 3) - 1;
    if (side)
      in.single = std::nextafterf(in.single, side * INFINITY);
    in.wide = side ? std::nextafter(value, side * INFINITY) : value;
    if (next() % 8 == 0)
      in.single = __builtin_bit_cast(float, unsigned(next()));
    in.whole = int64_t((next() << 20 ^ next()) >> next() % 64);
    if (next() % 2)
      in.whole = -in.whole;
    if (in.wide == 0)
      in.wide = 0;
  }
  return all;
}

template <class F> void check(bool hasReference) {
  std::vector<Input> in = draw<F>();
  DeviceArray<Input> input(in);
  DeviceArray<int64_t> out(size_t(count) * results);
  auto compare = [&](const std::vector<int64_t> &all, int i, const int64_t *own, int used) {
    for (int k = 0; k < used; ++k)
      expect(all[size_t(results) * i + k] == own[k] ||
                 same<F>(own[k], unsigned(all[size_t(results) * i + k])),
             "kernel", i * 100l + k, double(all[size_t(results) * i + k]), double(own[k]));
  };
  ones<F><<<count / 128, 128>>>(out, input);
  std::vector<int64_t> got = out.host();
  int64_t own[results];
  for (int i = 0; i < count; ++i) {
    one<F>(own, i, in[i]);
    if (hasReference)
      checkOne<F>(own, i, in[i]);
    compare(got, i, own, 26);
  }
  severals<F><<<count / 128, 128>>>(out, input);
  got = out.host();
  for (int i = 0; i < count; ++i) {
    several<F>(own, in[i]);
    if (hasReference)
      checkSeveral<F>(own, i, in[i]);
    compare(got, i, own, 29);
  }
}

int main(int argc, char **) {
  bool hasReference = argc == 1;
  check<Half>(hasReference);
  check<Bfloat>(hasReference);
  return verdict("short_floats");
}
#endif
