//===- regrain_wide_atomics.h - Atomics of 16 bytes -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomicExch and atomicCAS of any type that can be copied as 16 aligned bytes. They are
// PTX, which the CPU has a translation for. Chips before compute capability 9.0 do not
// have the instructions, and a kernel that uses them has no code for these.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_WIDE_ATOMICS_H
#define REGRAIN_WIDE_ATOMICS_H
#pragma GCC system_header

struct regrainWide {
  unsigned long long low, high;
};
template <class T, bool IS_WIDE = sizeof(T) == 16 && alignof(T) >= 16 && __is_trivially_copyable(T)>
struct regrainIfWide {};
template <class T> struct regrainIfWide<T, true> {
  typedef T type;
};

#define REGRAIN_WIDE_ATOMICS(SUFFIX, SCOPE)                                                        \
  template <class T>                                                                               \
  static __inline__ __device__ typename regrainIfWide<T>::type atomicExch##SUFFIX(T *p, T value) { \
    regrainWide given = __builtin_bit_cast(regrainWide, value), seen;                              \
    asm volatile("{\n\t.reg .b128 given, seen;\n\t"                                                \
                 "mov.b128 given, {%2, %3};\n\t"                                                   \
                 "atom.relaxed." SCOPE ".exch.b128 seen, [%4], given;\n\t"                         \
                 "mov.b128 {%0, %1}, seen;\n\t}"                                                   \
                 : "=l"(seen.low), "=l"(seen.high)                                                 \
                 : "l"(given.low), "l"(given.high), "l"(p)                                         \
                 : "memory");                                                                      \
    return __builtin_bit_cast(T, seen);                                                            \
  }                                                                                                \
  template <class T>                                                                               \
  static __inline__ __device__ typename regrainIfWide<T>::type atomicCAS##SUFFIX(T *p, T compare,  \
                                                                                 T value) {        \
    regrainWide expected = __builtin_bit_cast(regrainWide, compare), seen;                         \
    regrainWide given = __builtin_bit_cast(regrainWide, value);                                    \
    asm volatile("{\n\t.reg .b128 expected, given, seen;\n\t"                                      \
                 "mov.b128 expected, {%2, %3};\n\t"                                                \
                 "mov.b128 given, {%4, %5};\n\t"                                                   \
                 "atom.relaxed." SCOPE ".cas.b128 seen, [%6], expected, given;\n\t"                \
                 "mov.b128 {%0, %1}, seen;\n\t}"                                                   \
                 : "=l"(seen.low), "=l"(seen.high)                                                 \
                 : "l"(expected.low), "l"(expected.high), "l"(given.low), "l"(given.high), "l"(p)  \
                 : "memory");                                                                      \
    return __builtin_bit_cast(T, seen);                                                            \
  }
REGRAIN_WIDE_ATOMICS(, "gpu")
REGRAIN_WIDE_ATOMICS(_block, "cta")
REGRAIN_WIDE_ATOMICS(_system, "sys")
#undef REGRAIN_WIDE_ATOMICS

#endif
