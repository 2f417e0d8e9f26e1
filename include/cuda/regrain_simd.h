//===- regrain_simd.h - Operations on the lanes of a word -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This header has what CUDA's functions on two halves or four bytes of a word compute
// (__vadd2, __vcmpges4 and so on). clang's header has them as video instructions, most
// of which NVIDIA's chips from compute capability 5.0 on emulate slowly. Here, they are
// arithmetic on the whole word. The top bits of the lanes are handled apart, so that
// nothing is carried from lane to lane.
//
// clang's header takes these functions, named __nv_vadd2 and so on, where it expects
// the library of CUDA 9.0 (regrain_prelude.h).
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_SIMD_H
#define REGRAIN_SIMD_H
#pragma GCC system_header

#include "regrain_dpx.h"

#define REGRAIN_LANES static __inline__ __device__ unsigned int

/* Lanes of `width` bits. Functions of which "the top bits count" return anything in other bits. */
template <int width> struct regrainLanes {
  static const unsigned int ones = width == 8 ? 0x01010101u : 0x00010001u;
  static const unsigned int top = ones << (width - 1), rest = ~top;

  /* Fills each lane with its top bit: a selector of 8 and more repeats a byte's sign. */
  REGRAIN_LANES filled(unsigned int a) { return __nvvm_prmt(a, 0, width == 8 ? 0xba98 : 0xbb99); }
  /* Moves the top bit to the place of 1, and clears the rest. */
  REGRAIN_LANES moved(unsigned int a) { return (a >> (width - 1)) & ones; }
  REGRAIN_LANES chosen(unsigned int mask, unsigned int a, unsigned int b) {
    return (a & mask) | (b & ~mask);
  }

  REGRAIN_LANES sum(unsigned int a, unsigned int b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if (width == 16)
      return regrain_add_16x2(a, b);
#endif
    return ((a & rest) + (b & rest)) ^ ((a ^ b) & top);
  }
  REGRAIN_LANES difference(unsigned int a, unsigned int b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if (width == 16)
      return ~regrain_add_16x2(~a, b);
#endif
    return ((a | top) - (b & rest)) ^ ((a ^ ~b) & top);
  }

  /* Comparisons, of which the top bits count. Where those of a and b are equal, the other bits
     decide: then the top bit of the difference is not borrowed. */
  REGRAIN_LANES isAtLeastUnsigned(unsigned int a, unsigned int b) {
    return (a & ~b) | (~(a ^ b) & ((a | top) - (b & rest)));
  }
  REGRAIN_LANES isAtLeastSigned(unsigned int a, unsigned int b) {
    return (~a & b) | (~(a ^ b) & ((a | top) - (b & rest)));
  }
  REGRAIN_LANES isOther(unsigned int a, unsigned int b) {
    unsigned int bits = a ^ b;
    return ((bits & rest) + rest) | bits;
  }

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define REGRAIN_HALVES(NAME)                                                                       \
  if (width == 16)                                                                                 \
    return regrain_##NAME##16x2(a, b);
#else
#define REGRAIN_HALVES(NAME)
#endif
#define REGRAIN_EXTREME(NAME, SHORT, IS_FIRST)                                                     \
  REGRAIN_LANES NAME(unsigned int a, unsigned int b) {                                             \
    REGRAIN_HALVES(SHORT)                                                                          \
    return chosen(filled(IS_FIRST), a, b);                                                         \
  }
  REGRAIN_EXTREME(greatestSigned, max_s, isAtLeastSigned(a, b))
  REGRAIN_EXTREME(greatestUnsigned, max_u, isAtLeastUnsigned(a, b))
  REGRAIN_EXTREME(leastSigned, min_s, ~isAtLeastSigned(a, b))
  REGRAIN_EXTREME(leastUnsigned, min_u, ~isAtLeastUnsigned(a, b))
#undef REGRAIN_EXTREME
#undef REGRAIN_HALVES

  /* No lane of these sums and differences of words overflows. */
  REGRAIN_LANES saturatedSumUnsigned(unsigned int a, unsigned int b) {
    return leastUnsigned(a, ~b) + b;
  }
  REGRAIN_LANES saturatedDifferenceUnsigned(unsigned int a, unsigned int b) {
    return greatestUnsigned(a, b) - b;
  }
  REGRAIN_LANES distanceUnsigned(unsigned int a, unsigned int b) {
    if (width == 16)
      return greatestUnsigned(a, b) - leastUnsigned(a, b);
    unsigned int result;
    asm("vabsdiff4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(0));
    return result;
  }
  REGRAIN_LANES distanceSigned(unsigned int a, unsigned int b) {
    return distanceUnsigned(a ^ top, b ^ top);
  }
  REGRAIN_LANES sumOfDistancesUnsigned(unsigned int a, unsigned int b) {
    unsigned int result;
    if (width == 16) {
      result = distanceUnsigned(a, b);
      return (result & 0xffffu) + (result >> 16);
    }
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(0));
    return result;
  }
  REGRAIN_LANES sumOfDistancesSigned(unsigned int a, unsigned int b) {
    return sumOfDistancesUnsigned(a ^ top, b ^ top);
  }

  /* Where the lanes overflowed, the sign of `a` says in which direction. */
  REGRAIN_LANES saturated(unsigned int wrapped, unsigned int isOverflow, unsigned int a) {
    return chosen(filled(isOverflow), filled(a) ^ rest, wrapped);
  }
  REGRAIN_LANES saturatedSumSigned(unsigned int a, unsigned int b) {
    unsigned int wrapped = sum(a, b);
    return saturated(wrapped, (a ^ wrapped) & (b ^ wrapped), a);
  }
  REGRAIN_LANES saturatedDifferenceSigned(unsigned int a, unsigned int b) {
    unsigned int wrapped = difference(a, b);
    return saturated(wrapped, (a ^ b) & (a ^ wrapped), a);
  }

  /* The least number is its own negative and absolute value, or one less, saturated. */
  REGRAIN_LANES negative(unsigned int a) { return difference(0, a); }
  REGRAIN_LANES saturatedNegative(unsigned int a) {
    unsigned int wrapped = negative(a);
    return wrapped - moved(a & wrapped);
  }
  REGRAIN_LANES absolute(unsigned int a) {
    if (width == 8)
      return distanceSigned(a, 0);
    unsigned int sign = filled(a);
    return (a ^ sign) + (sign & ones);
  }
  REGRAIN_LANES saturatedAbsolute(unsigned int a) {
    unsigned int wrapped = absolute(a);
    return wrapped - moved(wrapped);
  }

  /* Means, rounded down, up, and away from zero. */
  REGRAIN_LANES meanBelow(unsigned int a, unsigned int b) {
    return (a & b) + (((a ^ b) & ~ones) >> 1);
  }
  REGRAIN_LANES meanAbove(unsigned int a, unsigned int b) {
    return (a | b) - (((a ^ b) & ~ones) >> 1);
  }
  REGRAIN_LANES meanSigned(unsigned int a, unsigned int b) {
    unsigned int below = meanBelow(a ^ top, b ^ top); // at least `top` if it is not negative
    return (below + (moved(below) & (a ^ b))) ^ top;
  }
};

#define REGRAIN_ONE(NAME, DOES)                                                                    \
  REGRAIN_LANES __nv_v##NAME##2(unsigned int a) { return regrainLanes<16>::DOES(a); }              \
  REGRAIN_LANES __nv_v##NAME##4(unsigned int a) { return regrainLanes<8>::DOES(a); }
#define REGRAIN_TWO(NAME, DOES)                                                                    \
  REGRAIN_LANES __nv_v##NAME##2(unsigned int a, unsigned int b) {                                  \
    return regrainLanes<16>::DOES(a, b);                                                           \
  }                                                                                                \
  REGRAIN_LANES __nv_v##NAME##4(unsigned int a, unsigned int b) {                                  \
    return regrainLanes<8>::DOES(a, b);                                                            \
  }
REGRAIN_ONE(abs, absolute)
REGRAIN_ONE(absss, saturatedAbsolute)
REGRAIN_ONE(neg, negative)
REGRAIN_ONE(negss, saturatedNegative)
REGRAIN_TWO(absdiffs, distanceSigned)
REGRAIN_TWO(absdiffu, distanceUnsigned)
REGRAIN_TWO(add, sum)
REGRAIN_TWO(addss, saturatedSumSigned)
REGRAIN_TWO(addus, saturatedSumUnsigned)
REGRAIN_TWO(avgs, meanSigned)
REGRAIN_TWO(avgu, meanAbove)
REGRAIN_TWO(haddu, meanBelow)
REGRAIN_TWO(maxs, greatestSigned)
REGRAIN_TWO(maxu, greatestUnsigned)
REGRAIN_TWO(mins, leastSigned)
REGRAIN_TWO(minu, leastUnsigned)
REGRAIN_TWO(sads, sumOfDistancesSigned)
REGRAIN_TWO(sadu, sumOfDistancesUnsigned)
REGRAIN_TWO(sub, difference)
REGRAIN_TWO(subss, saturatedDifferenceSigned)
REGRAIN_TWO(subus, saturatedDifferenceUnsigned)
#undef REGRAIN_ONE
#undef REGRAIN_TWO

/* A comparison fills the lanes (__vcmp), or makes 1 of them (__vset). */
#define REGRAIN_COMPARISON_OF(NAME, COUNT, WIDTH, NOT, DOES, A, B)                                 \
  REGRAIN_LANES __nv_vcmp##NAME##COUNT(unsigned int a, unsigned int b) {                           \
    return regrainLanes<WIDTH>::filled(NOT regrainLanes<WIDTH>::DOES(A, B));                       \
  }                                                                                                \
  REGRAIN_LANES __nv_vset##NAME##COUNT(unsigned int a, unsigned int b) {                           \
    return regrainLanes<WIDTH>::moved(NOT regrainLanes<WIDTH>::DOES(A, B));                        \
  }
#define REGRAIN_COMPARISON(NAME, NOT, DOES, A, B)                                                  \
  REGRAIN_COMPARISON_OF(NAME, 2, 16, NOT, DOES, A, B)                                              \
  REGRAIN_COMPARISON_OF(NAME, 4, 8, NOT, DOES, A, B)
REGRAIN_COMPARISON(eq, ~, isOther, a, b)
REGRAIN_COMPARISON(ne, , isOther, a, b)
REGRAIN_COMPARISON(ges, , isAtLeastSigned, a, b)
REGRAIN_COMPARISON(geu, , isAtLeastUnsigned, a, b)
REGRAIN_COMPARISON(gts, ~, isAtLeastSigned, b, a)
REGRAIN_COMPARISON(gtu, ~, isAtLeastUnsigned, b, a)
REGRAIN_COMPARISON(les, , isAtLeastSigned, b, a)
REGRAIN_COMPARISON(leu, , isAtLeastUnsigned, b, a)
REGRAIN_COMPARISON(lts, ~, isAtLeastSigned, a, b)
REGRAIN_COMPARISON(ltu, ~, isAtLeastUnsigned, a, b)
#undef REGRAIN_COMPARISON
#undef REGRAIN_COMPARISON_OF
#undef REGRAIN_LANES

#endif
