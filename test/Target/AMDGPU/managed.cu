// A kernel that uses a managed variable, directly or in a function, has no code for AMD GPUs.
// RUN: not %regrain cc -c --targets=gfx90a %s -o %t.o 2>&1 | FileCheck %s
// CHECK: managed.cu:[[#@LINE+5]]: gfx90a: no code for kernel 'direct(int*)': it uses the managed variable counter
// CHECK: managed.cu:[[#@LINE+5]]: gfx90a: no code for kernel 'inFunction(int*)': it uses the managed variable counter
// CHECK-NOT: other(int*)
__device__ __managed__ int counter;
__device__ __noinline__ int add(int by) { return counter += by; }
__global__ void direct(int *out) { out[threadIdx.x] = counter; }
__global__ void inFunction(int *out) { out[threadIdx.x] = add(1); }
__global__ void other(int *out) { out[threadIdx.x] = 1; }
