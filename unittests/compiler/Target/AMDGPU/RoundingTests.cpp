//===- RoundingTests.cpp - Directed rounding in integers ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device library's functions, compiled for this machine, are compared with
// its floating point unit in the rounding mode that they implement.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Library/Rounding.cpp"

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>

namespace {

template <class T> using BitsOf = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

/// Numbers of every magnitude, often near the ends of the range, often only a few
/// bits apart.
class Numbers {
public:
  template <class T> T next() {
    if constexpr (std::is_integral_v<T>)
      return T(T(engine()) >> (engine() % (8 * sizeof(T))));
    else
      return floating<T>();
  }

private:
  template <class T> T floating() {
    using Limits = std::numeric_limits<T>;
    constexpr T special[] = {0,
                             1,
                             Limits::denorm_min(),
                             Limits::min(),
                             Limits::max(),
                             Limits::infinity(),
                             Limits::quiet_NaN()};
    switch (engine() % 4) {
    case 0:
      return std::copysign(special[engine() % std::size(special)], T(engine() % 2) - T(0.5));
    case 1:
      return std::bit_cast<T>(BitsOf<T>(engine()));
    case 2:
      return std::ldexp(T(int64_t(engine())), int(engine() % 40) - 80);
    default:
      return T(int(engine() % 64)) / 8;
    }
  }

  std::mt19937_64 engine{42};
};

template <class T> void expectSame(T got, T wanted, const char *what) {
  if (std::isnan(wanted))
    EXPECT_TRUE(std::isnan(got)) << what;
  else
    EXPECT_EQ(std::bit_cast<BitsOf<T>>(got), std::bit_cast<BitsOf<T>>(wanted))
        << what << ": " << got << ", not " << wanted;
}

#define UNDER(mode, expression)                                                                    \
  [&] {                                                                                            \
    std::fesetround(mode);                                                                         \
    volatile auto result = expression;                                                             \
    std::fesetround(FE_TONEAREST);                                                                 \
    return +result;                                                                                \
  }()

#define CHECK_ARITHMETIC(T, s, r, mode)                                                            \
  for (int i = 0; i < 200000 && !HasFailure(); ++i) {                                              \
    volatile T a = numbers.next<T>(), b = numbers.next<T>(), c = numbers.next<T>();                \
    SCOPED_TRACE(testing::Message() << std::hexfloat << +a << " " << +b << " " << +c);             \
    expectSame<T>(nvvm_add_##r##_##s(a, b), UNDER(mode, a + b), "add");                            \
    expectSame<T>(nvvm_mul_##r##_##s(a, b), UNDER(mode, a * b), "mul");                            \
    expectSame<T>(nvvm_div_##r##_##s(a, b), UNDER(mode, a / b), "div");                            \
    expectSame<T>(nvvm_fma_##r##_##s(a, b, c), UNDER(mode, std::fma(a, b, c)), "fma");             \
    expectSame<T>(nvvm_rcp_##r##_##s(a), UNDER(mode, 1 / a), "rcp");                               \
    expectSame<T>(nvvm_sqrt_##r##_##s(a), UNDER(mode, std::sqrt(a)), "sqrt");                      \
  }

#define CHECK_CONVERSION(name, r, mode, From, To)                                                  \
  for (int i = 0; i < 50000 && !HasFailure(); ++i) {                                               \
    volatile From a = numbers.next<From>();                                                        \
    SCOPED_TRACE(testing::Message() << std::hexfloat << +a);                                       \
    expectSame<To>(nvvm_##name##_##r(a), UNDER(mode, To(a)), #name);                               \
  }

#define TEST_ROUNDING(r, mode)                                                                     \
  TEST(Rounding, r) {                                                                              \
    Numbers numbers;                                                                               \
    CHECK_ARITHMETIC(float, f, r, mode)                                                            \
    CHECK_ARITHMETIC(double, d, r, mode)                                                           \
    CHECK_CONVERSION(d2f, r, mode, double, float)                                                  \
    CHECK_CONVERSION(i2f, r, mode, int, float)                                                     \
    CHECK_CONVERSION(ui2f, r, mode, unsigned, float)                                               \
    CHECK_CONVERSION(ll2f, r, mode, long long, float)                                              \
    CHECK_CONVERSION(ull2f, r, mode, unsigned long long, float)                                    \
    CHECK_CONVERSION(i2d, r, mode, int, double)                                                    \
    CHECK_CONVERSION(ui2d, r, mode, unsigned, double)                                              \
    CHECK_CONVERSION(ll2d, r, mode, long long, double)                                             \
    CHECK_CONVERSION(ull2d, r, mode, unsigned long long, double)                                   \
  }
TEST_ROUNDING(rz, FE_TOWARDZERO)
TEST_ROUNDING(rm, FE_DOWNWARD)
TEST_ROUNDING(rp, FE_UPWARD)

} // namespace
