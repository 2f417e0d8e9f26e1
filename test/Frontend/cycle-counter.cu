// Programs define __rdtsc themselves, as gcc lets them where no header does. The calls are clang's own.
// REQUIRES: x86-64-v3
// RUN: %regrain cc --targets=cpu %s -o %t && %t | FileCheck %s
// RUN: %regrain cc --targets=cpu -DHEADER %s -o %t && %t | FileCheck %s
// RUN: not %regrain cc --targets=cpu -DOTHER -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=OTHER
#include <cstdint>
#include <cstdio>

#ifdef HEADER
#include <x86intrin.h>
#else
static uint64_t inline __rdtsc() {
  uint32_t h, l;
  __asm__("rdtsc;" : "=d"(h), "=a"(l));
  return (uint64_t)h << 32 | (uint64_t)l;
}
#endif

#ifdef OTHER
// OTHER: cycle-counter.cu:[[@LINE+1]]:27: error: static declaration of '__rdtsc' follows non-static declaration
static unsigned long long __rdtsc();
#endif

int main() {
  uint64_t first = __rdtsc(), second = __rdtsc();
  // CHECK: __rdtsc() { counts
  printf("__rdtsc() { %s\n", second > first ? "counts" : "stands still");
}
