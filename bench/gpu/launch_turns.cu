//===- launch_turns.cu - Short kernels for launch_turns.cpp ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each compiler makes a library of this. Kernels of one form differ in a constant: equal ones would
// have one choice in the database.
//
//===----------------------------------------------------------------------===//
#include "launch_turns.h"

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#if __has_include(<regrain/variants.h>)
#include <regrain/variants.h>
#endif

#define CHECK(call) check((call), #call)
#define CASES(DO)                                                                                  \
  DO(plain) DO(same) DO(block) DO(vendor) DO(apart) DO(wide) DO(shape) DO(forced) DO(remainder)
#define EXPORTED extern "C" __attribute__((visibility("default")))

static void check(cudaError_t status, const char *call) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(status));
  std::exit(1);
}

__global__ void nothing() {}

#define TRIAD(name)                                                                                \
  __global__ void triad_##name(float *a, const float *b, const float *c, int n) {                  \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                 \
    if (i < n)                                                                                     \
      a[i] = b[i] + float(__COUNTER__ + 3) * c[i];                                                 \
  }
CASES(TRIAD)

#define EIGHT(name)                                                                                \
  __global__ void eight_##name(unsigned *data, const unsigned *first, const unsigned *second,      \
                               int n, unsigned factor, unsigned summand, double unused,            \
                               float scale) {                                                      \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                 \
    if (i < n)                                                                                     \
      data[i] = first[i] * factor + second[i] * summand + unsigned(scale * unused) + __COUNTER__;  \
  }
EIGHT(plain)
EIGHT(block)

#define SUMS(name)                                                                                 \
  __global__ void sums_##name(float *a, const float *b, int n) {                                   \
    __shared__ float part[256];                                                                    \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                 \
    part[threadIdx.x] = i < n ? b[i] : 0.0f;                                                       \
    __syncthreads();                                                                               \
    for (int half = 128; half; half /= 2) {                                                        \
      if (threadIdx.x < half)                                                                      \
        part[threadIdx.x] += part[threadIdx.x + half];                                             \
      __syncthreads();                                                                             \
    }                                                                                              \
    if (threadIdx.x == 0)                                                                          \
      a[blockIdx.x] = part[0] + __COUNTER__;                                                       \
  }
SUMS(plain)
SUMS(lent)

#define SCALED(name)                                                                               \
  template <int Each> __global__ void scaled_##name(float *a, const float *b, int n, float by) {   \
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * Each;                                        \
    for (int k = 0; k < Each; ++k)                                                                 \
      if (i + k < n)                                                                               \
        a[i + k] = b[i + k] * by + __COUNTER__;                                                    \
  }
SCALED(plain)
SCALED(variant)

#ifdef REGRAIN_VARIANTS
template <int Each>
constexpr regrain::launch covers(regrain::launch, float *, const float *, int n, float) {
  return {dim3(regrain::ceil_div(n, 256 * Each)), dim3(256), 0};
}
REGRAIN_VARIANTS(scaled_plain, covers, (1), (2));
REGRAIN_VARIANTS(scaled_variant, covers, (1), (2));
#endif

namespace {

constexpr int n = 50000, threads = 256, blocks = (n + threads - 1) / threads;
cudaStream_t stream;
float *a, *b, *c;
unsigned *d, *e, *f;

#define REPEATED(name, ...)                                                                        \
  void name(int count) {                                                                           \
    for (int i = 0; i < count; ++i)                                                                \
      __VA_ARGS__;                                                                                 \
  }
#define REPEATED_TRIAD(name)                                                                       \
  REPEATED(launch_##name, triad_##name<<<blocks, threads, 0, stream>>>(a, b, c, n))
CASES(REPEATED_TRIAD)
REPEATED(launchNothing, nothing<<<blocks, threads, 0, stream>>>())
REPEATED(launchEight, eight_plain<<<blocks, threads, 0, stream>>>(d, e, f, n, 2, 1, 0.5, 1.0f))
REPEATED(launchEightBlock, eight_block<<<blocks, threads, 0, stream>>>(d, e, f, n, 2, 1, 0.5, 1.0f))
REPEATED(launchSums, sums_plain<<<blocks, threads, 0, stream>>>(a, b, n))
REPEATED(launchLent, sums_lent<<<blocks, threads, 0, stream>>>(a, b, n))
REPEATED(launchScaled, scaled_plain<1><<<blocks, threads, 0, stream>>>(a, b, n, 2.0f))
REPEATED(launchVariant, scaled_variant<1><<<blocks, threads, 0, stream>>>(a, b, n, 2.0f))

#define NAMED(name) {"triad " #name, launch_##name},
const LaunchCase cases[] = {CASES(NAMED){"nothing", launchNothing},
                            {"eight plain", launchEight},
                            {"eight block", launchEightBlock},
                            {"sums plain", launchSums},
                            {"sums lent", launchLent},
                            {"scaled plain", launchScaled},
                            {"scaled variant", launchVariant},
                            {nullptr, nullptr}};

template <typename T> void makeArray(T *&array) {
  CHECK(cudaMalloc(&array, n * sizeof(T)));
  CHECK(cudaMemset(array, 0, n * sizeof(T)));
}

} // namespace

EXPORTED void finish() {
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGetLastError());
}

EXPORTED const LaunchCase *prepare() {
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (float **array : {&a, &b, &c})
    makeArray(*array);
  for (unsigned **array : {&d, &e, &f})
    makeArray(*array);
  CHECK(cudaDeviceSynchronize());
  for (const LaunchCase *each = cases; each->name; ++each)
    each->launch(10);
  finish();
  return cases;
}

EXPORTED void *capture(void (*launch)(int), int count) {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launch(count);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  return executable;
}

EXPORTED void replay(void *graph) {
  CHECK(cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph), stream));
}
