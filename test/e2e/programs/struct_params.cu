//===- struct_params.cu - Structures as parameters --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of every size and alignment are passed by value, indexed at run
// time, and written by the kernel without an effect on the next thread.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' --coarsen='*:fuse.x=2,fuse.y=2' --coarsen='*:shape=64x2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=2,fuse.y=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:shape=64x2' timeout 60 %t
#include "expect.h"

struct Small {
  char a;
  short b;
};
struct Large {
  int values[40];
  double scale;
  unsigned char tail[3];
};
struct __align__(32) Aligned {
  float4 v[2];
};
struct Empty {};

__global__ void parameters(char c, Small small, double d, Large large, bool flag,
                           Aligned aligned, Empty, float3 triple, double *out) {
  int tid = threadIdx.x;
  large.values[tid % 40] += tid;
  double sum = 0;
  for (int i = 0; i < 40; ++i)
    sum += large.values[i];
  out[tid] = sum * large.scale + c + small.a * small.b + d + large.tail[tid % 3] +
             (flag ? aligned.v[tid % 2].w : aligned.v[tid % 2].x) + triple.z;
}

int main() {
  constexpr int threads = 64;
  Small small = {3, -5};
  Large large = {};
  int base = 0;
  for (int i = 0; i < 40; ++i)
    base += large.values[i] = i * i;
  large.scale = 0.5;
  for (int i = 0; i < 3; ++i)
    large.tail[i] = static_cast<unsigned char>(200 + i);
  Aligned aligned = {{make_float4(1, 2, 3, 4), make_float4(5, 6, 7, 8)}};
  for (bool flag : {false, true}) {
    DeviceArray<double> out(threads);
    parameters<<<1, threads>>>('x', small, 0.125, large, flag, aligned, Empty(),
                               make_float3(9, 10, 11), out);
    auto got = out.host();
    for (int t = 0; t < threads; ++t)
      expectEqual("out", t, got[t],
                  (base + t) * 0.5 + 'x' - 15 + 0.125 + 200 + t % 3 +
                      (t % 2 ? (flag ? 8 : 5) : (flag ? 4 : 1)) + 11);
  }
  return verdict("struct_params");
}
