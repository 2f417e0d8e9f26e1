//===- shared_tables.cu - Tables of addresses of a block --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local arrays and structures are initialised with the addresses of shared arrays, and a switch
// selects such an address. Addresses are converted from and to local, constant and shared memory.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O3 --coarsen='*:block.x=2' -o %t %s
// RUN: timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: %regrain cc --targets=cpu -O0 -o %t %s
// RUN: timeout 60 %t
#include "expect.h"

struct Pair {
  int *first, count, *others[2];
};

__global__ void tables(int *out, int which) {
  __shared__ int a[32], b[32], c[32];
  int t = threadIdx.x;
  a[t] = t, b[t] = 100 + t, c[t] = 200 + t;
  __syncthreads();
  int *all[3] = {a, b + 1, c};
  Pair pairs[2] = {{a, 1, {b, c}}, {c, 2, {nullptr, a + 3}}};
  const Pair &pair = pairs[which & 1];
  int *selected = nullptr;
  switch (which + t % 3) {
  case 0:
    selected = a;
    break;
  case 1:
    selected = b;
    break;
  case 2:
    selected = c;
    break;
  case 3:
    selected = b + 4;
    break;
  case 4:
    selected = a + 1;
    break;
  }
  out[blockIdx.x * 32 + t] = all[which][t & 15] + 1000 * pair.first[pair.count] +
                             (pair.others[0] ? pair.others[0][t] : 7) * 3 + pair.others[1][1] +
                             (selected ? selected[2] : -1);
}

__constant__ int numbers[4] = {10, 20, 30, 40};

__global__ void conversions(int *out) {
  __shared__ int held[32];
  int own[4] = {1, 2, 3, 4}, t = threadIdx.x;
  held[t] = t;
  __syncthreads();
  auto *local = (int *)__cvta_local_to_generic(__cvta_generic_to_local(own));
  auto *constant = (int *)__cvta_constant_to_generic(__cvta_generic_to_constant(numbers + 1));
  auto *shared = (int *)__cvta_shared_to_generic(__cvta_generic_to_shared(held + 1) + 4);
  out[t] = local[t & 3] + constant[t & 1] + shared[t & 15];
}

static int wanted(int which, int t) {
  int a = 0, b = 100, c = 200, starts[3] = {a, b + 1, c}, bases[6] = {a, b, c, b + 4, a + 1, -3};
  int first = which & 1 ? c : a, count = which & 1 ? 2 : 1;
  return starts[which] + (t & 15) + 1000 * (first + count) + (which & 1 ? 7 : b + t) * 3 +
         (which & 1 ? a + 4 : c + 1) + bases[which + t % 3] + 2;
}

int main() {
  DeviceArray<int> out(4 * 32);
  for (int which = 0; which < 3; ++which) {
    tables<<<4, 32>>>(out, which);
    std::vector<int> got = out.host();
    for (int i = 0; i < 4 * 32; ++i)
      expect(got[i] == wanted(which, i % 32), "tables", i, got[i], wanted(which, i % 32));
  }
  conversions<<<1, 32>>>(out);
  std::vector<int> got = out.host();
  for (int t = 0; t < 32; ++t) {
    int sum = (t & 3) + 1 + (t & 1 ? 30 : 20) + (t & 15) + 2;
    expect(got[t] == sum, "conversions", t, got[t], sum);
  }
  return verdict("shared_tables");
}
