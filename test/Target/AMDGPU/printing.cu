// printf and assert call the host, by ROCm's own functions; formats that cannot be known are refused.
//
// REQUIRES: rocm-device-libs
// RUN: %regrain cc --targets=gfx90a --emit=hsaco %s -DKNOWN -o %t.hsaco
// RUN: llvm-readelf --notes --dyn-syms %t.hsaco | FileCheck %s --check-prefix=OBJECT
// RUN: %regrain cc --targets=gfx90a --emit=amdgcn %s -DKNOWN -O1 -o - | FileCheck %s
// RUN: %regrain cc --targets=gfx90a,gfx1100 -mcode-object-version=4 --coarsen='*:block.x=2' -DKNOWN -c %s -o %t.o
// RUN: not %regrain cc --targets=gfx90a -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=UNKNOWN
#include <cassert>
#include <cstdio>

// OBJECT: hidden_hostcall_buffer
// CHECK: @.regrain.assertion = internal {{.*}}addrspace(4) constant {{.*}} c"%s:%d: %s: block: [%d,%d,%d], thread: [%d,%d,%d] Assertion `%s` failed.\0A\00"

#ifdef KNOWN
// CUDA's printf returns the number of arguments.
// CHECK: define protected amdgpu_kernel void @_Z6printsPiPKcf(
// CHECK: store i32 3, ptr addrspace(1) %{{[0-9]+}}
__global__ void prints(int *out, const char *text, float f) {
  out[0] = printf("%d %s %f\n", out[1], text, f);
}

// CHECK: define protected amdgpu_kernel void @_Z7assertsPi(
// CHECK: call void @llvm.trap()
__global__ void asserts(int *out) { assert(out[0] > 3); }
#else
// UNKNOWN: no code for kernel 'anyFormat(char const*)': it calls printf with a format that is not a constant string, which is not supported on AMD GPUs ({{.*}}printing.cu:[[@LINE+1]])
__global__ void anyFormat(const char *format) { printf(format, 1); }
#endif
