// For nvcc, the offers are empty, and kernels that only they name do not exist.
// REQUIRES: nvcc
// RUN: rm -rf %t && mkdir -p %t/regrain && cp %headers/regrain/variants.h %t/regrain
// RUN: %toolkit/bin/nvcc -std=c++17 -Werror all-warnings -Wno-deprecated-gpu-targets -arch=sm_90 -ptx -I %t %s -o %t/ptx
// RUN: FileCheck %s < %t/ptx
// CHECK: .entry _Z1kILi1EEvPi
// CHECK-NOT: _Z1kILi2EEvPi
#include <regrain/variants.h>

template <int N> __global__ void k(int *out) { *out = N; }
template <int N> constexpr regrain::launch rule(regrain::launch given, int *) {
  return {dim3(regrain::ceil_div(given.grid.x, N)), dim3(32), given.shared};
}
REGRAIN_VARIANTS(k, rule, (1), (2));
REGRAIN_VARIANT_WITHIN(4, k<1>, k<3>, [](regrain::launch given, int *) { return given; });

void run() { k<1><<<1, 1>>>(nullptr); }
