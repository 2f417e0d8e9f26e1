//===- Rounding.cpp - Arithmetic that rounds down, up or to zero ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A register of the wave determines the hardware's rounding mode, and LLVM may move arithmetic past
// a change of that register. So these functions compute the exact result in integers and round it
// themselves.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Library/Function.h"

namespace {

using Wide = unsigned __int128;

enum class Mode { Zero, Down, Up };

template <class T> struct Format;
template <> struct Format<float> {
  using Bits = u32;
  static constexpr i32 precision = 24, lowest = -149; ///< exponent of the last place
  static constexpr i32 beyond = 128;                  ///< 2 to this power overflows
};
template <> struct Format<double> {
  using Bits = u64;
  static constexpr i32 precision = 53, lowest = -1074;
  static constexpr i32 beyond = 1024;
};

/// The number magnitude * 2^exponent. If it is `inexact`, it is larger by less than one unit of the
/// magnitude, which then has more bits than any format.
struct Exact {
  bool negative;
  Wide magnitude;
  i32 exponent;
  bool inexact;
};

[[gnu::always_inline]] inline i32 width(Wide value) {
  u64 high = u64(value >> 64), low = u64(value);
  return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

/// Shifts right and records whether bits are lost.
[[gnu::always_inline]] inline Exact dropBits(Exact value, i32 count) {
  if (count <= 0)
    return value;
  Wide kept = count < 128 ? value.magnitude >> count : 0;
  Wide back = count < 128 ? kept << count : 0;
  return {value.negative, kept, value.exponent + count, value.inexact || back != value.magnitude};
}

template <class T>
[[gnu::always_inline]] inline T assemble(bool negative, u64 magnitude, i32 exponent) {
  using F = Format<T>;
  using Bits = typename F::Bits;
  Bits bits = Bits(magnitude);
  if (magnitude >> (F::precision - 1)) {
    bits &= (Bits(1) << (F::precision - 1)) - 1;
    bits |= Bits(exponent - F::lowest + 1) << (F::precision - 1);
  }
  return __builtin_bit_cast(T, Bits(bits | Bits(negative) << (8 * sizeof(T) - 1)));
}

template <class T> [[gnu::always_inline]] inline T roundTo(Exact value, Mode mode) {
  using F = Format<T>;
  i32 excess = width(value.magnitude) - F::precision;
  i32 missing = F::lowest - value.exponent;
  value = dropBits(value, excess > missing ? excess : missing);
  bool away = mode == (value.negative ? Mode::Down : Mode::Up);
  u64 magnitude = u64(value.magnitude) + (away && value.inexact);
  // Subnormal numbers have their leading bit where the format requires it.
  i32 lift = F::precision - width(magnitude);
  i32 room = value.exponent - F::lowest;
  lift = lift < room ? lift : room;
  magnitude = lift < 0 ? magnitude >> 1 : magnitude << lift;
  i32 exponent = value.exponent - lift;
  if (width(magnitude) + exponent > F::beyond) {
    magnitude = away ? u64(1) << (F::precision - 1) : (u64(1) << F::precision) - 1;
    exponent = F::beyond - F::precision + away;
  }
  return assemble<T>(value.negative, magnitude, exponent);
}

template <class T> [[gnu::always_inline]] inline bool isFinite(T value) {
  return value - value == 0;
}

template <class T> [[gnu::always_inline]] inline Exact exactly(T value) {
  using F = Format<T>;
  using Bits = typename F::Bits;
  Bits bits = __builtin_bit_cast(Bits, value);
  u64 magnitude = bits & ((Bits(1) << (F::precision - 1)) - 1);
  i32 biased = i32(bits >> (F::precision - 1) & ((1 << (8 * sizeof(T) - F::precision)) - 1));
  if (biased)
    magnitude |= u64(1) << (F::precision - 1);
  return {bool(bits >> (8 * sizeof(T) - 1)), magnitude, F::lowest + (biased ? biased - 1 : 0),
          false};
}

[[gnu::always_inline]] inline Exact product(Exact a, Exact b) {
  return {a.negative != b.negative, a.magnitude * b.magnitude, a.exponent + b.exponent, false};
}

[[gnu::always_inline]] inline Exact sum(Exact a, Exact b, Mode mode) {
  if (a.magnitude == 0 && b.magnitude == 0)
    return {a.negative == b.negative ? a.negative : mode == Mode::Down, 0, 0, false};
  if (a.magnitude == 0)
    return b;
  if (b.magnitude == 0)
    return a;
  Exact high = a.exponent > b.exponent ? a : b, low = a.exponent > b.exponent ? b : a;
  i32 distance = high.exponent - low.exponent, room = 127 - width(high.magnitude);
  i32 lift = distance < room ? distance : room;
  high.magnitude <<= lift;
  low = dropBits(low, distance - lift);
  i32 exponent = high.exponent - lift;
  if (high.negative == low.negative)
    return {high.negative, high.magnitude + low.magnitude, exponent, low.inexact};
  if (high.magnitude == low.magnitude && !low.inexact)
    return {mode == Mode::Down, 0, 0, false};
  if (high.magnitude > low.magnitude)
    return {high.negative, high.magnitude - low.magnitude - low.inexact, exponent, low.inexact};
  return {low.negative, low.magnitude - high.magnitude, exponent, low.inexact};
}

/// Returns 64 bits of the quotient, with the leading bits of the operands aligned.
[[gnu::always_inline]] inline Exact quotient(Exact a, Exact b) {
  i32 liftA = 64 - width(a.magnitude), liftB = 64 - width(b.magnitude);
  Wide rest = a.magnitude << liftA, divisor = b.magnitude << liftB;
  u64 result = 0;
#pragma clang loop unroll(disable)
  for (i32 bit = 63; bit >= 0; --bit) {
    bool fits = rest >= divisor;
    rest = (fits ? rest - divisor : rest) << 1;
    result |= u64(fits) << bit;
  }
  return {a.negative != b.negative, result, a.exponent - liftA - b.exponent + liftB - 63,
          rest != 0};
}

/// Returns 63 bits of the root, computed bit by bit: their square never exceeds the operand.
[[gnu::always_inline]] inline Exact root(Exact a) {
  i32 lift = 126 - width(a.magnitude);
  lift -= (a.exponent - lift) & 1;
  Wide rest = a.magnitude << lift, result = 0;
#pragma clang loop unroll(disable)
  for (i32 bit = 62; bit >= 0; --bit) {
    Wide step = ((result << 1) + (Wide(1) << bit)) << bit;
    bool fits = rest >= step;
    rest = fits ? rest - step : rest;
    result |= Wide(fits) << bit;
  }
  return {false, result, (a.exponent - lift) / 2, rest != 0};
}

template <class T> [[gnu::always_inline]] inline T add(T a, T b, Mode mode) {
  return isFinite(a) && isFinite(b) ? roundTo<T>(sum(exactly(a), exactly(b), mode), mode) : a + b;
}

template <class T> [[gnu::always_inline]] inline T multiply(T a, T b, Mode mode) {
  return isFinite(a) && isFinite(b) ? roundTo<T>(product(exactly(a), exactly(b)), mode) : a * b;
}

template <class T> [[gnu::always_inline]] inline T multiplyAdd(T a, T b, T c, Mode mode) {
  if (!isFinite(a) || !isFinite(b))
    return a * b + c;
  return isFinite(c) ? roundTo<T>(sum(product(exactly(a), exactly(b)), exactly(c), mode), mode) : c;
}

template <class T> [[gnu::always_inline]] inline T divide(T a, T b, Mode mode) {
  if (!isFinite(a) || !isFinite(b) || a == 0 || b == 0)
    return a / b;
  return roundTo<T>(quotient(exactly(a), exactly(b)), mode);
}

template <class T> [[gnu::always_inline]] inline T squareRoot(T a, Mode mode) {
  if (a > 0 && isFinite(a))
    return roundTo<T>(root(exactly(a)), mode);
  return a == 0 || a > 0 ? a : a - a == 0 ? (a - a) / (a - a) : a - a;
}

template <class To, class From> [[gnu::always_inline]] inline To convert(From value, Mode mode) {
  if constexpr (From(0.5) != 0)
    return isFinite(value) ? roundTo<To>(exactly(value), mode) : To(value);
  bool negative = value < 0;
  return roundTo<To>({negative, negative ? 0 - u64(value) : u64(value), 0, false}, mode);
}

} // namespace

#define ARITHMETIC(T, s, r, mode)                                                                  \
  REGRAIN_FUNCTION T nvvm_add_##r##_##s(T a, T b) { return add(a, b, mode); }                      \
  REGRAIN_FUNCTION T nvvm_mul_##r##_##s(T a, T b) { return multiply(a, b, mode); }                 \
  REGRAIN_FUNCTION T nvvm_fma_##r##_##s(T a, T b, T c) { return multiplyAdd(a, b, c, mode); }      \
  REGRAIN_FUNCTION T nvvm_div_##r##_##s(T a, T b) { return divide(a, b, mode); }                   \
  REGRAIN_FUNCTION T nvvm_rcp_##r##_##s(T a) { return divide(T(1), a, mode); }                     \
  REGRAIN_FUNCTION T nvvm_sqrt_##r##_##s(T a) { return squareRoot(a, mode); }
#define CONVERSION(name, r, mode, From, To)                                                        \
  REGRAIN_FUNCTION To nvvm_##name##_##r(From a) { return convert<To>(a, mode); }
#define ROUNDING(r, mode)                                                                          \
  ARITHMETIC(float, f, r, mode)                                                                    \
  ARITHMETIC(double, d, r, mode)                                                                   \
  CONVERSION(d2f, r, mode, double, float)                                                          \
  CONVERSION(i2f, r, mode, i32, float)                                                             \
  CONVERSION(ui2f, r, mode, u32, float)                                                            \
  CONVERSION(ll2f, r, mode, i64, float)                                                            \
  CONVERSION(ull2f, r, mode, u64, float)                                                           \
  CONVERSION(i2d, r, mode, i32, double)                                                            \
  CONVERSION(ui2d, r, mode, u32, double)                                                           \
  CONVERSION(ll2d, r, mode, i64, double)                                                           \
  CONVERSION(ull2d, r, mode, u64, double)
ROUNDING(rz, Mode::Zero)
ROUNDING(rm, Mode::Down)
ROUNDING(rp, Mode::Up)
