// This tests which path a kernel takes, and which values live between its regions.
// RUN: %device-ir %s -o %t.ll
// RUN: regrain-cpu-test %t.ll --emit=lowered --kernel=common | FileCheck %s --check-prefix=COMMON
// RUN: regrain-cpu-test %t.ll --emit=lowered --kernel=guarded | FileCheck %s --check-prefix=GUARDED
// RUN: regrain-cpu-test %t.ll --emit=optimized --kernel=common | FileCheck %s --check-prefix=VECTOR
// The same input gives the same code.
// RUN: regrain-cpu-test %t.ll --emit=optimized --kernel=common --kernel=guarded > %t.1
// RUN: regrain-cpu-test %t.ll --emit=optimized --kernel=common --kernel=guarded > %t.2
// RUN: cmp %t.1 %t.2

// All threads share the count of a loop around barriers: it needs no states;
// its counter is kept once, the index i is recomputed and only `sum`, before
// and after the addition, has a place per thread.
// COMMON: @common = protected constant {{.*}} i64 64, i64 8, ptr @common.run
// COMMON-NOT: regrain_states_present
// VECTOR: load <8 x float>
// VECTOR-NOT: gather
extern "C" __global__ void common(float *out, const float *in, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    tile[threadIdx.x] = in[i + k * gridDim.x * blockDim.x];
    __syncthreads();
    sum += tile[255 - threadIdx.x];
    __syncthreads();
  }
  out[i] = sum;
}

// An early return that differs from thread to thread needs a state for each.
// GUARDED-LABEL: define internal void @guarded.run
// GUARDED: call{{.*}}@regrain_release
extern "C" __global__ void guarded(float *out, const float *in, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[255 - threadIdx.x];
}
