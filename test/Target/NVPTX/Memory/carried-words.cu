// Loops carry words for assembly, and not the halves that the program also reads one by one.
// RUN: %regrain cc -O3 --targets=compute_80 --emit=ptx %s -o - | FileCheck %s
#include <cstdint>
#include <cuda_fp16.h>

struct Sums {
  uint32_t words[4][2];
  __device__ half &at(int tile, int i) {
    return reinterpret_cast<half(&)[4][4]>(words)[tile][i];
  }
  __device__ void multiply(int tile, const uint32_t *in) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%5, %6};"
                 : "=r"(words[tile][0]), "=r"(words[tile][1])
                 : "r"(in[0]), "r"(in[1]), "r"(in[2]), "r"(words[tile][0]), "r"(words[tile][1]));
  }
  __device__ void store(half *out, half factor) {
    for (int tile = 0; tile < 4; ++tile)
      for (int i = 0; i < 4; ++i)
        out[tile * 32 + i] = at(tile, i) * factor + out[tile * 32 + i + 16];
  }
};
// Behind the loop, both halves are taken at once, so that ptxas computes with pairs of them.
// CHECK-LABEL: .entry _Z4zero
// CHECK: $L__BB
// CHECK: bar.sync
// CHECK-NOT: cvt
// CHECK-NOT: or.b32
// CHECK-NOT: shr
// CHECK-NOT: rs{{[0-9]}}
// CHECK: bra
// CHECK-COUNT-8: mov.b32 {%rs{{[0-9]+}}, %rs{{[0-9]+}}}, %r{{[0-9]+}};
__global__ void zero(half *out, const uint32_t *in, int n, half factor) {
  Sums sums;
  for (int tile = 0; tile < 4; ++tile)
    for (int i = 0; i < 4; ++i)
      sums.at(tile, i) = 0;
  for (int k = 0; k < n; ++k) {
    __syncthreads();
#pragma unroll
    for (int tile = 0; tile < 4; ++tile)
      sums.multiply(tile, in + k * 4);
  }
  sums.store(out, factor);
}
// Halves from memory are joined in front of the loop.
// CHECK-LABEL: .entry _Z6loaded
// CHECK: or.b32
// CHECK: $L__BB
// CHECK: bar.sync
// CHECK-NOT: cvt
// CHECK-NOT: or.b32
// CHECK-NOT: rs{{[0-9]}}
// CHECK: bra
__global__ void loaded(half *out, const uint32_t *in, int n, half factor) {
  Sums sums;
  for (int tile = 0; tile < 4; ++tile)
    for (int i = 0; i < 4; ++i)
      sums.at(tile, i) = out[tile * 64 + i * 7];
  for (int k = 0; k < n; ++k) {
    __syncthreads();
#pragma unroll
    for (int tile = 0; tile < 4; ++tile)
      sums.multiply(tile, in + k * 4);
  }
  sums.store(out, factor);
}
// A half that each iteration computes is carried as it is.
// CHECK-LABEL: .entry _Z8computed
// CHECK: bar.sync
// CHECK-NOT: mma.sync
// CHECK: or.b32
// CHECK-NEXT: begin inline asm
// CHECK-NEXT: mma.sync
// CHECK: bra
__global__ void computed(half *out, const uint32_t *in, int n, half factor) {
  Sums sums;
  for (int tile = 0; tile < 4; ++tile)
    for (int i = 0; i < 4; ++i)
      sums.at(tile, i) = 0;
  for (int k = 0; k < n; ++k) {
    __syncthreads();
#pragma unroll
    for (int tile = 0; tile < 4; ++tile) {
      sums.multiply(tile, in + k * 4);
      sums.at(tile, 1) = sums.at(tile, 1) + factor;
    }
  }
  sums.store(out, factor);
}
