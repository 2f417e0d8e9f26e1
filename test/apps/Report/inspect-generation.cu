// The code generation is distinguished separately from the kernel's hash: what changes the code changes
// one, what changes the kernel the other, and paths, debug information and order change neither.
// RUN: rm -rf %t && mkdir -p %t/other
// RUN: cp %s %t/other/moved.cu
// RUN: %regrain cc --targets=ptx,cpu -O3 -c %s -o %t/base.o
// RUN: %regrain cc --targets=cpu,ptx -O1 -lineinfo -g -Xptxas -v -c %t/other/moved.cu -o %t/same.o
// RUN: %regrain cc --targets=ptx,cpu -G -c %s -o %t/debug.o
// RUN: %regrain cc --targets=ptx,cpu -maxrregcount=16 -c %s -o %t/registers.o
// RUN: %regrain cc --targets=ptx,cpu -use_fast_math -c %s -o %t/fast.o
// RUN: %regrain cc --targets=ptx,cpu -fmad=false -c %s -o %t/unfused.o
// RUN: %python %S/Inputs/generations.py %t base same debug registers fast unfused | FileCheck %s

//      CHECK: same: hash as base, cpu as base, ptx as base
// CHECK-NEXT: debug: hash as base, cpu other, ptx other
// CHECK-NEXT: registers: hash as base, cpu as base, ptx other
// CHECK-NEXT: fast: hash other, cpu as base, ptx other
// CHECK-NEXT: unfused: hash other, cpu as base, ptx other

__global__ void scale(float *v, float a, float b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] = v[i] * a + b;
}
