//===- matmul_parts.cu - Test of the product's code for matrix units -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where there are no matrix units for fp8, as on the CPU, the compiler imitates mma.sync.
//
//===----------------------------------------------------------------------===//
#define REGRAIN_TAKE_MATRIX_CORES
#include "../src/matmul_direct.h"
#include "matmul_parts.h"

using namespace test;
using namespace regrain::kernels;

template <int tokenTiles, int channels, int steps>
static void directly(int m, int n, int k, unsigned blocks) {
  checkParts("product", m, n, k, blocks, m * channels, [=](__half *out, const Product &p) {
    matmul<__half, tokenTiles, channels, steps, 1><<<blocks, matmulThreads>>>(
        out, p.a, p.b, p.scaleA, p.scaleB, p.partial, p.arrived, m, n, k, false, false);
  });
}

int main() {
  // Blocks with parts of tiles, whole tiles, both, and nothing; rows and k that fill no unit.
  for (unsigned blocks : {1u, 2u, 5u, 40u})
    directly<2, 128, 1>(13, 290, 400, blocks);
  directly<2, 128, 1>(16, 128, 0, 2);
  return finish();
}
