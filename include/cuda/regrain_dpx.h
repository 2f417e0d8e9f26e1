//===- regrain_dpx.h - Minima and maxima of dynamic programming -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This header has CUDA's DPX functions: the maximum or minimum of two or three
// integers, of a sum and an integer, with a lower bound of 0 (_relu), and with the
// choice that was made (__vib). Sums wrap around. Those that end in x2 work on each
// half of a word, by packed instructions where compute capability 9.0 has them.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_DPX_H
#define REGRAIN_DPX_H
#pragma GCC system_header

#define REGRAIN_DPX static __inline__ __host__ __device__

REGRAIN_DPX unsigned int regrainPack(unsigned short low, unsigned short high) {
  return low | (unsigned int)high << 16;
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define REGRAIN_DPX_HALVES(NAME, SUFFIX, TYPE, BEFORE)                                             \
  REGRAIN_DPX unsigned int regrain_##NAME##_##SUFFIX##16x2(unsigned int a, unsigned int b) {       \
    unsigned int result;                                                                           \
    asm(#NAME "." #SUFFIX "16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));                     \
    return result;                                                                                 \
  }
REGRAIN_DPX unsigned int regrain_add_16x2(unsigned int a, unsigned int b) {
  unsigned int result;
  asm("add.u16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
  return result;
}
#else
#define REGRAIN_DPX_HALVES(NAME, SUFFIX, TYPE, BEFORE)                                             \
  REGRAIN_DPX unsigned int regrain_##NAME##_##SUFFIX##16x2(unsigned int a, unsigned int b) {       \
    unsigned int low = (TYPE)a BEFORE(TYPE) b ? a : b;                                             \
    unsigned int high = (TYPE)(a >> 16) BEFORE(TYPE)(b >> 16) ? a : b;                             \
    return (low & 0xffffu) | (high & 0xffff0000u);                                                 \
  }
REGRAIN_DPX unsigned int regrain_add_16x2(unsigned int a, unsigned int b) {
  return regrainPack((unsigned short)(a + b), (unsigned short)((a >> 16) + (b >> 16)));
}
#endif

#define REGRAIN_DPX_WORDS(NAME, SUFFIX, TYPE, BEFORE)                                              \
  REGRAIN_DPX TYPE regrain_##NAME##_##SUFFIX##32(TYPE a, TYPE b) { return a BEFORE b ? a : b; }
REGRAIN_DPX int regrain_add_32(int a, int b) { return (int)((unsigned int)a + (unsigned int)b); }
REGRAIN_DPX unsigned int regrain_add_32(unsigned int a, unsigned int b) { return a + b; }

/* For NAME max or min and numbers SUFFIX of WIDTH bits: those of three numbers, and of a sum. */
#define REGRAIN_DPX_THREE(NAME, SUFFIX, WIDTH, TYPE)                                               \
  REGRAIN_DPX TYPE __vi##NAME##3_##SUFFIX##WIDTH(const TYPE a, const TYPE b, const TYPE c) {       \
    return regrain_##NAME##_##SUFFIX##WIDTH(regrain_##NAME##_##SUFFIX##WIDTH(a, b), c);            \
  }                                                                                                \
  REGRAIN_DPX TYPE __viadd##NAME##_##SUFFIX##WIDTH(const TYPE a, const TYPE b, const TYPE c) {     \
    return regrain_##NAME##_##SUFFIX##WIDTH(regrain_add_##WIDTH(a, b), c);                         \
  }
/* The same for signed numbers, at least 0. */
#define REGRAIN_DPX_RELU(NAME, WIDTH, TYPE)                                                        \
  REGRAIN_DPX TYPE __vi##NAME##_s##WIDTH##_relu(const TYPE a, const TYPE b) {                      \
    return regrain_max_s##WIDTH(regrain_##NAME##_s##WIDTH(a, b), 0);                               \
  }                                                                                                \
  REGRAIN_DPX TYPE __vi##NAME##3_s##WIDTH##_relu(const TYPE a, const TYPE b, const TYPE c) {       \
    return regrain_max_s##WIDTH(__vi##NAME##3_s##WIDTH(a, b, c), 0);                               \
  }                                                                                                \
  REGRAIN_DPX TYPE __viadd##NAME##_s##WIDTH##_relu(const TYPE a, const TYPE b, const TYPE c) {     \
    return regrain_max_s##WIDTH(__viadd##NAME##_s##WIDTH(a, b, c), 0);                             \
  }
/* The predicate is whether the first number is the result; it is, if the numbers are equal. */
#define REGRAIN_DPX_CHOICE(NAME, SUFFIX, WORD, HALF, BEFORE)                                       \
  REGRAIN_DPX WORD __vib##NAME##_##SUFFIX##32(const WORD a, const WORD b, bool *const pred) {      \
    *pred = a BEFORE b;                                                                            \
    return a BEFORE b ? a : b;                                                                     \
  }                                                                                                \
  REGRAIN_DPX unsigned int __vib##NAME##_##SUFFIX##16x2(                                           \
      const unsigned int a, const unsigned int b, bool *const pred_hi, bool *const pred_lo) {      \
    *pred_hi = (HALF)(a >> 16) BEFORE(HALF)(b >> 16);                                              \
    *pred_lo = (HALF)a BEFORE(HALF) b;                                                             \
    return regrain_##NAME##_##SUFFIX##16x2(a, b);                                                  \
  }
#define REGRAIN_DPX_FAMILY(NAME, SUFFIX, WORD, HALF, BEFORE)                                       \
  REGRAIN_DPX_WORDS(NAME, SUFFIX, WORD, BEFORE)                                                    \
  REGRAIN_DPX_HALVES(NAME, SUFFIX, HALF, BEFORE)                                                   \
  REGRAIN_DPX_THREE(NAME, SUFFIX, 32, WORD)                                                        \
  REGRAIN_DPX_THREE(NAME, SUFFIX, 16x2, unsigned int)                                              \
  REGRAIN_DPX_CHOICE(NAME, SUFFIX, WORD, HALF, BEFORE)

REGRAIN_DPX_FAMILY(max, s, int, short, >=)
REGRAIN_DPX_FAMILY(max, u, unsigned int, unsigned short, >=)
REGRAIN_DPX_FAMILY(min, s, int, short, <=)
REGRAIN_DPX_FAMILY(min, u, unsigned int, unsigned short, <=)
REGRAIN_DPX_RELU(max, 32, int)
REGRAIN_DPX_RELU(max, 16x2, unsigned int)
REGRAIN_DPX_RELU(min, 32, int)
REGRAIN_DPX_RELU(min, 16x2, unsigned int)

#undef REGRAIN_DPX_FAMILY
#undef REGRAIN_DPX_CHOICE
#undef REGRAIN_DPX_RELU
#undef REGRAIN_DPX_THREE
#undef REGRAIN_DPX_WORDS
#undef REGRAIN_DPX_HALVES
#undef REGRAIN_DPX

#endif
