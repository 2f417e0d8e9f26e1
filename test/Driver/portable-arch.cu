// Targets without an architecture of NVIDIA's see __CUDA_ARCH__ as 700, whatever -arch says.
// RUN: %regrain cc --targets=cpu,ptx -arch=sm_90 -c %s -o %t.o
// RUN: %regrain cc --targets=compute_80 -DLEAST=800 -c %s -o %t.o
// RUN: not %regrain cc -arch=sm_80 -DLEAST=800 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %regrain cc --targets=cpu -arch=sm_80 -DLEAST=800 -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: portable-arch.cu:[[@LINE+9]]:{{.*}} error: static assertion failed
// CHECK-SAME: 700 >= 800
// CHECK: when compiling for sm_70
#ifndef LEAST
#define LEAST 700
#define MOST 700
#endif
__global__ void kernel() {
#ifdef __CUDA_ARCH__
  static_assert(__CUDA_ARCH__ >= LEAST);
#ifdef MOST
  static_assert(__CUDA_ARCH__ <= MOST);
#endif
#endif
}
