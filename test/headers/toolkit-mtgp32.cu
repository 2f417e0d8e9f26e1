//===- toolkit-mtgp32.cu - MTGP32 with a toolkit's parameters ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters are those of the toolkit, which our headers replace except for them. The numbers
// are those of cuRAND's library with the same seed. Without a toolkit, the missing header is an
// error.
//
//===----------------------------------------------------------------------===//
// REQUIRES: cuda-toolkit
// RUN: %regrain cc --cuda-path=%toolkit --targets=cpu -o %t %s
// RUN: timeout 60 %t | FileCheck %s
// RUN: not %regrain cc --cuda-path=none --targets=cpu -o %t %s 2> %t.err
// RUN: FileCheck %s --check-prefix=NONE < %t.err
// NONE: 'curand_mtgp32dc_p_11213.h' file not found
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>

#include <cstdio>

__global__ void draw(unsigned *out, curandStateMtgp32 *states) {
  out[threadIdx.x] = curand(states);
}

int main() {
  mtgp32_kernel_params_t *constants;
  curandStateMtgp32 *states;
  unsigned *out, numbers[256];
  cudaMalloc(&constants, sizeof(*constants));
  cudaMalloc(&states, sizeof(*states));
  cudaMalloc(&out, sizeof(numbers));
  curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, constants);
  curandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, constants, 1, 1234);
  draw<<<1, 256>>>(out, states);
  cudaMemcpy(numbers, out, sizeof(numbers), cudaMemcpyDeviceToHost);
  // CHECK: 95130d0d 76af12e1 9d99d21c ff1234b2
  printf("%08x %08x %08x %08x\n", numbers[0], numbers[1], numbers[2], numbers[3]);
}
