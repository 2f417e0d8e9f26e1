// A grain's module has functions of its own, so a kernel that keeps addresses of functions from a table has no grain: other
// kernels would call or compare what is in another module. A table that the program can change is the original's, and what
// is called by name needs no address.
// RUN: %regrain cc -O2 --targets=cpu,compute_90 --coarsen='*:thread.x=2' -o %t %s 2>&1 | FileCheck %s
// RUN: env REGRAIN_VERBOSE=1 %t 2>&1 | FileCheck %s --check-prefix=RAN
#include <cstdio>
#include <cuda_runtime.h>

using Function = unsigned (*)(unsigned);
__device__ __noinline__ unsigned twice(unsigned a) { return a * 2; }
__device__ __noinline__ unsigned next(unsigned a) { return a + 1; }

struct Shape {
  __device__ virtual unsigned area(unsigned a) { return a + 5; }
};
struct Square : Shape {
  __device__ unsigned area(unsigned a) override { return a * a; }
};

__device__ Function kept[64];
__device__ Function changed[2] = {next, twice};
__device__ Shape *shapes[64];

// CHECK-DAG: kernel 'fromTable()' is built without thread.x=2: it uses function pointers, and a function has a different address in each alternative's module
__global__ void fromTable() {
  const Function table[] = {twice, next, twice, next};
  kept[threadIdx.x] = table[threadIdx.x * 3 % 4];
}

// CHECK-DAG: kernel 'makeShapes()' is built without thread.x=2: it uses function pointers, and a function has a different address in each alternative's module
__global__ void makeShapes() {
  shapes[threadIdx.x] = threadIdx.x % 3 ? new Square : new Shape;
}

__global__ void fromVariable(unsigned first) { kept[threadIdx.x] = changed[(threadIdx.x + first) % 2]; }

__global__ void byName(unsigned *out) {
  Square own;
  out[threadIdx.x] = own.area(twice(threadIdx.x));
}

__global__ void use(unsigned *out) {
  unsigned i = threadIdx.x;
  out[i] = (kept[i] == (i * 3 % 2 ? next : twice)) + 2 * shapes[i]->area(kept[i](i));
}
__global__ void compare(unsigned *out) { out[threadIdx.x] = kept[threadIdx.x] == (threadIdx.x % 2 ? next : twice); }

// CHECK-NOT: fromVariable{{.*}}is built without
// CHECK-NOT: byName{{.*}}is built without
// RAN-DAG: fromTable(): original
// RAN-DAG: makeShapes(): original
// RAN-DAG: fromVariable({{.*}}): thread.x=2 (chosen
// RAN-DAG: byName({{.*}}): thread.x=2 (chosen
// RAN: 0 0 0 wrong
int main() {
  unsigned *out, got[64];
  int wrong[3] = {};
  cudaMalloc(&out, sizeof got);
  fromTable<<<1, 64>>>();
  makeShapes<<<1, 64>>>();
  use<<<1, 64>>>(out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (unsigned i = 0; i < 64; ++i) {
    unsigned a = i % 2 ? i + 1 : i * 2;
    wrong[0] += got[i] != 1 + 2 * (i % 3 ? a * a : a + 5);
  }
  fromVariable<<<1, 64>>>(1);
  compare<<<1, 64>>>(out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (unsigned i = 0; i < 64; ++i)
    wrong[1] += got[i] != 1;
  byName<<<1, 64>>>(out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (unsigned i = 0; i < 64; ++i)
    wrong[2] += got[i] != 4 * i * i;
  std::printf("%d %d %d wrong\n", wrong[0], wrong[1], wrong[2]);
}
