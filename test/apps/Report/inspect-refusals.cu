// Refusals are listed with their kernel, with the position, the reason and a way to lift them.
// RUN: %regrain cc --targets=ptx --coarsen='*:thread.x=2' -c %s -o %t.o
// RUN: %regrain inspect %t.o | FileCheck %s
// RUN: %regrain inspect --json %t.o | FileCheck %s --check-prefix=JSON
// There is one refusal for each reason, for any number of device compiles.
// RUN: %regrain cc --targets=ptx,compute_80 --coarsen='*:thread.x=2' -c %s -o %t.two.o
// RUN: %regrain inspect --json %t.two.o | grep -c divergent-barrier | FileCheck %s --check-prefix=ONCE
// ONCE: {{^}}1{{$}}
// A reason that all device compiles but the first have is kept, too.
// RUN: %regrain cc --targets=ptx,compute_80 -DNEWER --coarsen='*:thread.x=2' -c %s -o %t.newer.o
// RUN: %regrain inspect %t.newer.o | FileCheck %s --check-prefix=NEWER
// NEWER: refused thread.x=2 (import): it calls a virtual function or a function through a pointer
// NEWER-NEXT: to lift this: call the function by its name

// CHECK: divergent(int*)
// CHECK: refused thread.x=2 (transform): a barrier is in a loop whose trip count may differ between the threads of a block [{{.*}}inspect-refusals.cu:[[#@LINE+8]]:{{[0-9]+}}]
// CHECK-NEXT: to lift this: make the condition or the loop's end depend only on blockIdx
// JSON: "kernel": "_Z9divergentPi"
// JSON: "reason": "a barrier is in a loop whose trip count may differ between the threads of a block"
// JSON-NEXT: "kind": "divergent-barrier"
// JSON-NEXT: "remedy": "make the condition
#ifndef NEWER
__global__ void divergent(int *v) {
  for (int i = 0; i < v[threadIdx.x]; ++i) {
    v[threadIdx.x + i] = 1;
    __syncthreads();
  }
}
#else
__device__ int (*table[2])(int);
__global__ void calls(int *v) {
#if __CUDA_ARCH__ >= 800
  v[threadIdx.x] = table[threadIdx.x & 1](3);
#else
  v[threadIdx.x] = 1;
#endif
}
#endif
