//===- kept_rows.cu - Rows of global memory in registers --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that read a row again behind barriers, some of them a row that they have written. The
// results of all grains are the same bit for bit. Launches with rows that overlap, and with other
// lengths, run the original.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O3 --coarsen='norm*:rows=registers,for.block=64x1x1,for.arg3=512,for.aliases=none' --coarsen='soft*:rows=registers,for.block=32x2x1,for.arg2=256,for.aliases=none' -o %t.kept %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t.kept > %t.original.out
// RUN: env REGRAIN_VERBOSE=1 timeout 60 %t.kept 2>&1 >%t.kept.out | FileCheck %s
// RUN: diff %t.original.out %t.kept.out
// RUN: %regrain cc --targets=cpu -O1 --coarsen='norm*:thread.x=4:contiguous,rows=registers,for.block=64x1x1,for.arg3=512,for.aliases=none' --coarsen='soft*:block.x=2,thread.x=2,rows=registers,for.block=32x2x1,for.arg2=256,for.aliases=none' -o %t.coarse %s
// RUN: env REGRAIN_VERBOSE=1 timeout 60 %t.coarse 2>&1 >%t.coarse.out | FileCheck %s --check-prefix=COARSE
// RUN: diff %t.original.out %t.coarse.out
//
// CHECK-NOT: refused
// CHECK-DAG: norm({{.*}}): rows=registers,for.block=64x1x1,for.arg3=512,for.aliases=none (chosen when compiled)
// CHECK-DAG: softmax({{.*}}): rows=registers,for.block=32x2x1,for.arg2=256,for.aliases=none (chosen when compiled)
// COARSE-DAG: norm({{.*}}): thread.x=4:contiguous,rows=registers,for.block=64x1x1,for.arg3=512,for.aliases=none (chosen when compiled)
// COARSE-DAG: softmax({{.*}}): block.x=2,thread.x=2,rows=registers,for.block=32x2x1,for.arg2=256,for.aliases=none (chosen when compiled)
#include <cstdio>
#include <cstring>
#include <vector>

/// residual += in, and out = residual / (its sum in the row).
__global__ void norm(float *out, const float *in, float *residual, int n) {
  __shared__ float held[64];
  size_t row = (size_t)blockIdx.x * n;
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float v = residual[row + i] + in[row + i];
    sum += v * v;
    residual[row + i] = v;
  }
  held[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      held[threadIdx.x] += held[threadIdx.x + s];
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[row + i] = residual[row + i] / held[0];
}

/// Two rows in a block, each of which three loops read.
__global__ void softmax(float *out, const float *in, int n) {
  __shared__ float held[2][32];
  const float *row = in + (size_t)(blockIdx.x * 2 + threadIdx.y) * n;
  float *to = out + (size_t)(blockIdx.x * 2 + threadIdx.y) * n;
  float most = row[threadIdx.x];
  for (int i = threadIdx.x; i < n; i += 32)
    most = fmaxf(most, row[i]);
  held[threadIdx.y][threadIdx.x] = most;
  __syncthreads();
  for (int k = 0; k < 32; ++k)
    most = fmaxf(most, held[threadIdx.y][k]);
  __syncthreads();
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 32)
    sum += expf(row[i] - most);
  held[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < 32; ++k)
    sum += held[threadIdx.y][k];
  for (int i = threadIdx.x; i < n; i += 32)
    to[i] = expf(row[i] - most) / sum;
}

/// Prints the bits of all numbers as one.
static void print(const char *name, const float *data, size_t count) {
  unsigned long long hash = 1469598103934665603ull;
  for (size_t i = 0; i < count; ++i) {
    unsigned bits;
    memcpy(&bits, data + i, sizeof bits);
    hash = (hash ^ bits) * 1099511628211ull;
  }
  printf("%s %016llx\n", name, hash);
}

int main() {
  constexpr int rows = 6, most = 1024;
  float *out, *in, *residual;
  cudaMallocManaged(&out, rows * most * sizeof(float));
  cudaMallocManaged(&in, rows * most * sizeof(float));
  cudaMallocManaged(&residual, 2 * rows * most * sizeof(float));
  for (int i = 0; i < rows * most; ++i) {
    in[i] = float(i * 37 % 101) / 64 - 0.5f;
    residual[i] = residual[rows * most + i] = float(i * 53 % 89) / 32 - 1;
  }
  for (int n : {512, 500, 512, 1024}) {
    norm<<<rows, 64>>>(out, in, residual, n);
    cudaDeviceSynchronize();
    print("norm", out, rows * n);
    print("residual", residual, rows * n);
  }
  for (int n : {256, 250, 256}) {
    softmax<<<rows / 2, dim3(32, 2)>>>(out, in, n);
    cudaDeviceSynchronize();
    print("softmax", out, rows * n);
  }
  // The results replace what is read, or lie behind it in the same allocation.
  softmax<<<rows / 2, dim3(32, 2)>>>(residual, residual, 256);
  norm<<<rows, 64>>>(residual, in, residual, 512);
  norm<<<rows, 64>>>(residual + rows * 512, in, residual, 512);
  cudaDeviceSynchronize();
  print("in place", residual, 2 * rows * 512);
  return 0;
}
