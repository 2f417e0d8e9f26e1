// Kernels as nvcc translates them become alternatives of the base module: they use its variables and their own
// copies of read-only data. Internal names, which the two compilers mangle differently, are matched.
// REQUIRES: ptxas, nvcc
// RUN: %regrain cc -O3 --targets=sm_90 --coarsen='*:compiler=nvcc' --coarsen='bounded:compiler=nvcc,registers=32' -c -o %t.o %s
// RUN: %regrain inspect %t.o | FileCheck %s
// RUN: %regrain inspect --json %t.o | FileCheck %s --check-prefix=JSON

namespace {
__device__ int counter;
template <typename T> __global__ void unnamed(T *out) { out[threadIdx.x] = counter++; }
} // namespace

__constant__ float coefficients[8];
__device__ float table[16];
__device__ const float readOnly[4] = {1, 2, 3, 4};
static __global__ void internal(float *out, const float *in) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[threadIdx.x] * table[threadIdx.x & 15];
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x] + coefficients[threadIdx.x & 7] + readOnly[threadIdx.x & 3];
}
extern __shared__ float dynamic[];
__device__ __noinline__ float helper(float x) { return sinf(x) + table[3]; }
__global__ __launch_bounds__(128) void bounded(float *out) {
  dynamic[threadIdx.x] = helper(out[threadIdx.x]);
  __syncthreads();
  static int calls;
  atomicAdd(&calls, 1);
  out[threadIdx.x] = dynamic[threadIdx.x ^ 1];
}
__device__ __managed__ int managed;
__global__ void manages() { managed = 1; }
typedef float (*Function)(float);
__global__ void indirect(float *out, Function function) { *out = function(*out); }

int main() {
  unnamed<<<1, 32>>>((int *)nullptr);
  internal<<<1, 64>>>(nullptr, nullptr);
}

// CHECK: internal(float*, float const*)
// CHECK: sm_90 {{ *}}compiler=nvcc {{.*}}chosen
// CHECK: bounded(float*)
// CHECK: sm_90 {{ *}}registers=32,compiler=nvcc {{.*}}chosen
// CHECK: manages()
// CHECK: refused compiler=nvcc (sm_90): it uses the managed variable managed
// CHECK: indirect(float*, float (*)(float))
// CHECK: refused compiler=nvcc (sm_90): it calls functions by pointers
// CHECK: (anonymous namespace)::unnamed<int>(int*)
// CHECK: sm_90 {{ *}}compiler=nvcc {{.*}}chosen
// JSON: "compiler=nvcc"
