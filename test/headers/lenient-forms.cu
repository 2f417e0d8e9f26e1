// What nvcc with gcc takes, at most with a warning, compiles on both sides, in C++14 to C++20.
// RUN: %regrain cc -std=c++14 -w --extended-lambda --expt-relaxed-constexpr -c %s -o %t.o
// RUN: %regrain cc -std=c++17 --extended-lambda --expt-relaxed-constexpr -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %regrain cc -std=c++20 -w --extended-lambda --expt-relaxed-constexpr -c %s -o %t.o
// RUN: %regrain cc -std=c++17 -w -arch=sm_90 --targets=compute_90,cpu -c %s -o %t.o -DTWO --extended-lambda --expt-relaxed-constexpr
// RUN: cp %s %t.cpp && %regrain cc -std=c++17 -w -c %t.cpp -o %t.o

// CHECK: warning: ISO C++17 does not allow 'register'

#include <cinttypes>
#include <cstdio>

#if !defined(__NVCC__)
#error nvcc defines it for each source
#endif

enum Level { low, high };
constexpr Level level = static_cast<Level>(100);

struct Pair {
  int whole;
  float part;
};

void narrow(long wide, double exact) {
  Pair pair = {wide, exact};
  signed char bytes[] = {200};
  register int counted = pair.whole + bytes[0];
  std::printf("%"PRId64" %d\n", int64_t(counted), level);
}

#ifdef __CUDACC__
#if !defined(__CUDACC_EXTENDED_LAMBDA__) || !defined(__CUDACC_RELAXED_CONSTEXPR__)
#error the options define these
#endif
constexpr int architectures[] = {__CUDA_ARCH_LIST__};
#ifdef TWO
static_assert(sizeof(architectures) == 2 * sizeof(int) && architectures[1] == 900, "");
#else
static_assert(sizeof(architectures) == sizeof(int), "");
#endif
static_assert(architectures[0] == 700, "");
static_assert(!__nv_is_extended_device_lambda_closure_type(Pair), "");
static_assert(std::is_same<::nullptr_t, std::nullptr_t>::value, "");

struct Adder {
  template <typename T> __device__ T add(T left, T right) { return left + right; }
};
template <typename Any> __device__ int addWith(Any any) { return any.template add(1, 2); }

__global__ void forms(int *out, long wide, double exact) {
  register int i = threadIdx.x;
  Pair pair = {wide, exact};
  for (register int j = 0; j < 4; ++j)
    out[i] += pair.whole + addWith(Adder()) + level;
  std::pair<int, int> both = {out[0], out[1]};
  out[2] = both.first;
}
#endif
