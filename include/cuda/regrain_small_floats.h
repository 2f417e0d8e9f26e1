//===- regrain_small_floats.h - Numbers of 4 to 8 bits ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This header has the formats of cuda_fp8.h, cuda_fp6.h and cuda_fp4.h, and class
// templates for one, two and four numbers of a format. A format converts between
// its codes and float or double, in integers: every conversion rounds once, and
// has the same bits on each target.
//
// A format defines
//   bits                      the width of a code in a vector
//   One, Two, Four            the integers that store one, two and four codes
//   rounding                  how the constructors round
//   encode(x, saturates, mode)   the code of x; NaN and infinity are codes where the
//                             format has them
//   decode(code)              the number as a float, which holds each exactly
//   encodeTwo, decodeTwo      the same for two numbers, in one instruction where the
//                             device has it
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_SMALL_FLOATS_H
#define REGRAIN_SMALL_FLOATS_H
#pragma GCC system_header

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "device_types.h"

#define REGRAIN_SMALL static __inline__ __host__ __device__

/* The bits of float and of double. */
template <class T> struct regrainWideFloat;
template <> struct regrainWideFloat<float> {
  typedef unsigned int Bits;
  static constexpr int width = 32, mantissa = 23, bias = 127;
};
template <> struct regrainWideFloat<double> {
  typedef unsigned long long Bits;
  static constexpr int width = 64, mantissa = 52, bias = 1023;
};

/* Returns whether a number must be rounded up in magnitude: `rest` are the bits behind `code`, in
   units of which `half` is half of the last place. */
template <class Bits>
REGRAIN_SMALL bool regrainRoundsUp(Bits code, Bits rest, Bits half, bool negative,
                                   cudaRoundMode mode) {
  switch (mode) {
  case cudaRoundZero:
    return false;
  case cudaRoundPosInf:
    return rest != 0 && !negative;
  case cudaRoundMinInf:
    return rest != 0 && negative;
  default:
    return rest > half || (rest == half && (code & 1));
  }
}

/* A format with a sign, EXPONENT and MANTISSA bits, and denormal numbers. The codes above LARGEST,
   the largest finite number, are INFINITE and NAN_CODE; they equal LARGEST where the format has
   neither. A code's exponent is biased by half of its range. */
template <int EXPONENT, int MANTISSA, unsigned LARGEST, unsigned INFINITE, unsigned NAN_CODE>
struct regrainSmallFormat {
  static constexpr int bias = (1 << (EXPONENT - 1)) - 1, signBit = EXPONENT + MANTISSA;
  static constexpr cudaRoundMode rounding = cudaRoundNearest;
  static constexpr unsigned magnitudeMask = (1u << signBit) - 1;

  template <class T>
  static __host__ __device__ unsigned encode(T x, bool saturates, cudaRoundMode mode) {
    typedef regrainWideFloat<T> Wide;
    typedef typename Wide::Bits Bits;
    Bits bits = __builtin_bit_cast(Bits, x);
    bool negative = bits >> (Wide::width - 1);
    Bits magnitude = bits & ~(Bits)0 >> 1;
    if (x != x)
      return nanCode<T>(bits);
    /* The significand is shifted so far that its leading bit adds 1 to the exponent's field; below
       the normal numbers, it is shifted further. */
    int exponent = (int)(magnitude >> Wide::mantissa), least = Wide::bias + 1 - bias;
    Bits significand = magnitude & (((Bits)1 << Wide::mantissa) - 1);
    if (exponent != 0)
      significand |= (Bits)1 << Wide::mantissa;
    int shift = Wide::mantissa - MANTISSA + (exponent < least ? least - exponent : 0);
    if (shift > Wide::mantissa + 2)
      shift = Wide::mantissa + 2;
    Bits rest = significand & (((Bits)1 << shift) - 1);
    Bits code = significand >> shift;
    if (exponent > least)
      code += (Bits)(exponent - least) << MANTISSA;
    code += regrainRoundsUp(code, rest, (Bits)1 << (shift - 1), negative, mode);
    unsigned result = code <= LARGEST ? (unsigned)code : saturates ? LARGEST : INFINITE;
    return result | (unsigned)negative << signBit;
  }

  /* From double, a NaN keeps its sign, and the high bits of its payload where the format has them.
   */
  template <class T>
  static __host__ __device__ unsigned nanCode(typename regrainWideFloat<T>::Bits bits) {
    if (sizeof(T) == 4 || NAN_CODE == LARGEST)
      return NAN_CODE;
    unsigned payload = (unsigned)(bits >> (regrainWideFloat<T>::mantissa - MANTISSA));
    unsigned code = INFINITE == NAN_CODE
                        ? NAN_CODE
                        : INFINITE | (payload & ((1u << MANTISSA) - 1)) | 1u << (MANTISSA - 1);
    return code | (unsigned)(bits >> (regrainWideFloat<T>::width - 1)) << signBit;
  }

  /* No integer that a conversion to float rounds is in the range of such a format. */
  template <class I> static __host__ __device__ unsigned encodeInteger(I x) {
    return encode((float)x, true, rounding);
  }

  static __host__ __device__ bool isNan(unsigned code) {
    return NAN_CODE > LARGEST &&
           (code & magnitudeMask) > (INFINITE == NAN_CODE ? LARGEST : INFINITE);
  }

  static __host__ __device__ bool isNonzero(unsigned code) { return (code & magnitudeMask) != 0; }

  static __host__ __device__ float decode(unsigned code) {
    unsigned exponent = (code & magnitudeMask) >> MANTISSA,
             mantissa = code & ((1u << MANTISSA) - 1);
    if (isNan(code))
      return __builtin_bit_cast(float, 0x7fffffffu);
    unsigned bits = (exponent + 127 - bias) << 23 | mantissa << (23 - MANTISSA);
    if (INFINITE != NAN_CODE && (code & magnitudeMask) == INFINITE)
      bits = 0x7f800000u;
    if (exponent == 0)
      bits = __builtin_bit_cast(unsigned, (float)mantissa *__builtin_bit_cast(
                                              float, (unsigned)(127 + 1 - bias - MANTISSA) << 23));
    return __builtin_bit_cast(float, bits | (code >> signBit & 1) << 31);
  }
};

/* Two codes, the first in the low bits, from two numbers and back to two halves. */
template <class Format> struct regrainSmallPairs {
  template <class T>
  static __host__ __device__ unsigned encodeTwo(T x, T y, bool saturates, cudaRoundMode mode) {
    return Format::encode(x, saturates, mode) | Format::encode(y, saturates, mode) << Format::bits;
  }
  static __host__ __device__ unsigned encodeTwo(__half2 x, bool saturates, cudaRoundMode mode) {
    return encodeTwo((float)x.x, (float)x.y, saturates, mode);
  }
  static __host__ __device__ __half2 decodeTwo(unsigned codes) {
    return __half2(half(codes), half(codes >> Format::bits));
  }

private:
  static __host__ __device__ __half half(unsigned code) {
    unsigned masked = code & ((1u << Format::bits) - 1);
    return Format::isNan(masked) ? __half(__half_raw{0x7fff}) : __half(Format::decode(masked));
  }
};

/* One number of a format. */
template <class Format> struct regrainSmallFloat {
  typename Format::One __x;

  regrainSmallFloat() = default;
  explicit __host__ __device__ regrainSmallFloat(__half x) : __x(encode((float)x)) {}
  explicit __host__ __device__ regrainSmallFloat(__nv_bfloat16 x)
      : __x(encode((float)x)) {}
  explicit __host__ __device__ regrainSmallFloat(float x) : __x(encode(x)) {}
  explicit __host__ __device__ regrainSmallFloat(double x) : __x(encode(x)) {}
#define REGRAIN_FROM(TYPE)                                                                         \
  explicit __host__ __device__ regrainSmallFloat(TYPE x)                                           \
      : __x((typename Format::One)Format::encodeInteger(x)) {}
  REGRAIN_FROM(short)
  REGRAIN_FROM(unsigned short)
  REGRAIN_FROM(int)
  REGRAIN_FROM(unsigned int)
  REGRAIN_FROM(long)
  REGRAIN_FROM(unsigned long)
  REGRAIN_FROM(long long)
  REGRAIN_FROM(unsigned long long)
#undef REGRAIN_FROM

  explicit __host__ __device__ operator __half() const { return Format::decodeTwo(__x).x; }
  explicit __host__ __device__ operator __nv_bfloat16() const {
    return __nv_bfloat16(Format::decode(__x));
  }
  explicit __host__ __device__ operator float() const { return Format::decode(__x); }
  explicit __host__ __device__ operator double() const { return (double)Format::decode(__x); }
  explicit __host__ __device__ operator bool() const { return Format::isNonzero(__x); }
#define REGRAIN_TO(TYPE)                                                                           \
  explicit __host__ __device__ operator TYPE() const {                                             \
    return regrainToInteger<TYPE>(Format::decode(__x));                                       \
  }
  REGRAIN_TO(char)
  REGRAIN_TO(signed char)
  REGRAIN_TO(unsigned char)
  REGRAIN_TO(short)
  REGRAIN_TO(unsigned short)
  REGRAIN_TO(int)
  REGRAIN_TO(unsigned int)
  REGRAIN_TO(long)
  REGRAIN_TO(unsigned long)
  REGRAIN_TO(long long)
  REGRAIN_TO(unsigned long long)
#undef REGRAIN_TO

private:
  template <class T> static __host__ __device__ typename Format::One encode(T x) {
    return (typename Format::One)Format::encodeTwo(x, (T)0, true, Format::rounding);
  }
};

/* Two numbers, the first in the low bits. */
template <class Format> struct regrainSmallFloat2 {
  typename Format::Two __x;

  regrainSmallFloat2() = default;
  explicit __host__ __device__ regrainSmallFloat2(__half2 x)
      : __x((typename Format::Two)Format::encodeTwo(x, true, Format::rounding)) {}
  explicit __host__ __device__ regrainSmallFloat2(__nv_bfloat162 x)
      : regrainSmallFloat2(__bfloat1622float2(x)) {}
  explicit __host__ __device__ regrainSmallFloat2(float2 x)
      : __x((typename Format::Two)Format::encodeTwo(x.x, x.y, true, Format::rounding)) {}
  explicit __host__ __device__ regrainSmallFloat2(double2 x)
      : __x((typename Format::Two)Format::encodeTwo(x.x, x.y, true, Format::rounding)) {}

  explicit __host__ __device__ operator __half2() const { return Format::decodeTwo(__x); }
  explicit __host__ __device__ operator __nv_bfloat162() const {
    return __float22bfloat162_rn((float2) * this);
  }
  explicit __host__ __device__ operator float2() const {
    constexpr unsigned mask = (1u << Format::bits) - 1;
    return make_float2(Format::decode(__x & mask), Format::decode(__x >> Format::bits));
  }
};

/* The conversions by name to a format of 4 or 6 bits, each as TO(NAME, RESULT, TYPE, two numbers). */
#define REGRAIN_SMALL_SOURCES(TO, FORMAT, ONE, TWO)                                                \
  TO(double_to_##FORMAT, ONE, double, x, 0.0)                                                      \
  TO(float_to_##FORMAT, ONE, float, x, 0.0f)                                                       \
  TO(halfraw_to_##FORMAT, ONE, __half_raw, (float)__half(x), 0.0f)                                 \
  TO(bfloat16raw_to_##FORMAT, ONE, __nv_bfloat16_raw, __bfloat162float(x), 0.0f)                   \
  TO(bfloat16raw2_to_##FORMAT##x2, TWO, __nv_bfloat162_raw, __low2float(__nv_bfloat162(x)),        \
     __high2float(__nv_bfloat162(x)))                                                              \
  TO(double2_to_##FORMAT##x2, TWO, double2, x.x, x.y)                                              \
  TO(float2_to_##FORMAT##x2, TWO, float2, x.x, x.y)                                                \
  TO(halfraw2_to_##FORMAT##x2, TWO, __half2_raw, __half2(x))

/* Four numbers, the first in the lowest bits. */
template <class Format> struct regrainSmallFloat4 {
  typename Format::Four __x;

  regrainSmallFloat4() = default;
  explicit __host__ __device__ regrainSmallFloat4(__half2 low, __half2 high)
      : __x(join(Format::encodeTwo(low, true, Format::rounding),
                 Format::encodeTwo(high, true, Format::rounding))) {}
  explicit __host__ __device__ regrainSmallFloat4(__nv_bfloat162 low, __nv_bfloat162 high)
      : regrainSmallFloat4(__bfloat1622float2(low),
                           __bfloat1622float2(high)) {}
  explicit __host__ __device__ regrainSmallFloat4(float4 x)
      : __x(join(Format::encodeTwo(x.x, x.y, true, Format::rounding),
                 Format::encodeTwo(x.z, x.w, true, Format::rounding))) {}
  explicit __host__ __device__ regrainSmallFloat4(double4 x)
      : __x(join(Format::encodeTwo(x.x, x.y, true, Format::rounding),
                 Format::encodeTwo(x.z, x.w, true, Format::rounding))) {}

  explicit __host__ __device__ operator float4() const {
    constexpr unsigned mask = (1u << Format::bits) - 1;
    return make_float4(Format::decode(__x & mask), Format::decode(__x >> Format::bits & mask),
                       Format::decode(__x >> 2 * Format::bits & mask),
                       Format::decode(__x >> 3 * Format::bits));
  }

private:
  __host__ __device__ regrainSmallFloat4(float2 low, float2 high)
      : __x(join(Format::encodeTwo(low.x, low.y, true, Format::rounding),
                 Format::encodeTwo(high.x, high.y, true, Format::rounding))) {}
  static __host__ __device__ typename Format::Four join(unsigned low, unsigned high) {
    return (typename Format::Four)(low | high << 2 * Format::bits);
  }
};

/* Defines the types of one, two and four numbers. */
#define REGRAIN_SMALL_TYPES(PREFIX, SUFFIX, FORMAT)                                                \
  struct PREFIX##_##SUFFIX : regrainSmallFloat<FORMAT> {                                           \
    PREFIX##_##SUFFIX() = default;                                                                 \
    using regrainSmallFloat<FORMAT>::regrainSmallFloat;                                            \
  };                                                                                               \
  struct __align__(sizeof(FORMAT::Two)) PREFIX##x2_##SUFFIX : regrainSmallFloat2<FORMAT> {         \
    PREFIX##x2_##SUFFIX() = default;                                                               \
    using regrainSmallFloat2<FORMAT>::regrainSmallFloat2;                                          \
  };                                                                                               \
  struct __align__(sizeof(FORMAT::Four)) PREFIX##x4_##SUFFIX : regrainSmallFloat4<FORMAT> {        \
    PREFIX##x4_##SUFFIX() = default;                                                               \
    using regrainSmallFloat4<FORMAT>::regrainSmallFloat4;                                          \
  };

#endif
