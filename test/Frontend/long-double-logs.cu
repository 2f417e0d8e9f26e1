//===- long-double-logs.cu - Logarithms of constants on the host -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host side takes no logarithm of a constant while the program runs, with and
// without errno: the distributions of <random> would be many times slower. The folded
// values are those of the C library. A logarithm that sets errno stays.
//
//===----------------------------------------------------------------------===//
// REQUIRES: x86-64-v3
// RUN: %regrain cc --targets=cpu -O2 -DRANDOM -c -o %t.o %s && llvm-nm --undefined-only %t.o | FileCheck %s --check-prefix=NONE
// RUN: %regrain cc --targets=cpu -O2 -DRANDOM -fno-math-errno -c -o %t.o %s && llvm-nm --undefined-only %t.o | FileCheck %s --check-prefix=NONE
// RUN: %regrain cc --targets=cpu -O2 -o %t %s && %t | FileCheck %s
// NONE-NOT: U {{log|log2|log10}}l
// CHECK: values are equal
// CHECK-NEXT: errno is EDOM
#if defined(RANDOM)
#include <cmath>
#include <random>
float draw(std::mt19937 &generator) { return std::uniform_real_distribution<float>(0, 1)(generator); }
double draw64(std::mt19937_64 &generator) { return std::uniform_real_distribution<double>(0, 1)(generator); }
long double others() { return std::log2(3.0L) + std::log10(7.0L); }
#else
#include <cerrno>
#include <cmath>
#include <cstdio>

int main() {
  volatile long double four = 0x1p32L, three = 3.0L, seven = 7.0L;
  bool equal = std::log(four) == std::log(0x1p32L) && std::log2(three) == std::log2(3.0L) &&
               std::log10(seven) == std::log10(7.0L);
  std::printf("values are %s\n", equal ? "equal" : "different");
  errno = 0;
  volatile long double invalid = std::log(-1.0L);
  std::printf("errno is %s\n", std::isnan(invalid) && errno == EDOM ? "EDOM" : "another");
}
#endif
