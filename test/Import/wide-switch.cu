// RUN: %regrain-nvcc --targets=cpu '--coarsen=*:control' '--coarsen=*:block.x=2' %s -o %t.exe
// RUN: env REGRAIN_ALTERNATIVE='*:original' %t.exe | FileCheck %s
// RUN: env REGRAIN_ALTERNATIVE='*:control' %t.exe | FileCheck %s
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' REGRAIN_VERBOSE=1 %t.exe 2> %t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=RAN < %t.log
// A switch compares all 64 bits, and 32 or 8 bits as they are.
// CHECK: wide: 0 1 2 9 3 9 9 4{{$}}
// CHECK: word: 0 1 2 3 9{{$}}
// CHECK: byte: 0 1 2 9{{$}}
// RAN-COUNT-3: block.x=2 (asked for
#include <cstdio>
#include <cuda_runtime.h>

__global__ void wide(const long long *in, int *out) {
  switch (in[blockIdx.x]) {
  case 0: out[blockIdx.x] = 0; break;
  case 1: out[blockIdx.x] = 1; break;
  case 5: out[blockIdx.x] = 2; break;
  case (1ll << 40) + 2: out[blockIdx.x] = 3; break;
  case -1: out[blockIdx.x] = 4; break;
  default: out[blockIdx.x] = 9;
  }
}

__global__ void word(const unsigned *in, int *out) {
  switch (in[blockIdx.x]) {
  case 0xffffffffu: out[blockIdx.x] = 0; break;
  case 1: out[blockIdx.x] = 1; break;
  case 0x80000000u: out[blockIdx.x] = 2; break;
  case 7: out[blockIdx.x] = 3; break;
  default: out[blockIdx.x] = 9;
  }
}

__global__ void byte(const signed char *in, int *out) {
  switch (in[blockIdx.x]) {
  case -1: out[blockIdx.x] = 0; break;
  case 127: out[blockIdx.x] = 1; break;
  case -128: out[blockIdx.x] = 2; break;
  default: out[blockIdx.x] = 9;
  }
}

template <typename T, int count>
void show(const char *name, void (*kernel)(const T *, int *), const T (&values)[count]) {
  T *in;
  int *out;
  cudaMallocManaged(&in, sizeof values);
  cudaMallocManaged(&out, count * sizeof *out);
  for (int i = 0; i < count; ++i)
    in[i] = values[i];
  kernel<<<count, 1>>>(in, out);
  cudaDeviceSynchronize();
  printf("%s:", name);
  for (int i = 0; i < count; ++i)
    printf(" %d", out[i]);
  printf("\n");
}

int main() {
  show<long long>("wide", wide, {0, 1, 5, 1ll << 32, (1ll << 40) + 2, (1ll << 32) + 1, 0xffffffffll, -1});
  show<unsigned>("word", word, {0xffffffffu, 1, 0x80000000u, 7, 0});
  show<signed char>("byte", byte, {-1, 127, -128, 0});
}
