// Chips from compute capability 7.0 on have no shuffles and votes without a mask; each kernel that
// has one is one error. Older chips have them, and so has the CPU.
// RUN: not %regrain cc --targets=compute_90 -c %s -o %t.o 2>&1 | FileCheck-19 %s --implicit-check-not=error:
// RUN: not %regrain cc --targets=compute_90 -O0 -DONE -c %s -o %t.o 2>&1 | FileCheck-19 %s --check-prefix=ONE
// RUN: %regrain cc --targets=compute_60,cpu -c %s -o %t.o

template <class T> __device__ T reduce(T value) {
  for (int step = 16; step; step /= 2)
    value += __shfl_down(value, step);
  return value;
}

// CHECK: unmasked-operations.cu:[[#@LINE+3]]:1: error: compute_90: no code for kernel 'sums(double*)': __shfl_down has no mask, which chips from compute capability 7.0 on need: use __shfl_down_sync ({{.*}}unmasked-operations.cu:9)
// ONE: unmasked-operations.cu:[[#@LINE+2]]:1: error: compute_90: no code for kernel 'sums(double*)': __shfl_down has no mask
// ONE: error: 1 kernel has no code
__global__ void sums(double *values) { *values = reduce(*values); }

#ifndef ONE
// CHECK: unmasked-operations.cu:[[#@LINE+1]]:1: error: {{.*}}: __any has no mask, {{.*}} use __any_sync ({{.*}}.cu:[[#@LINE+2]])
__global__ void votes(int *values) {
  if (__any(values[threadIdx.x]))
    values[0] = __all(values[1]);
}

// CHECK: unmasked-operations.cu:[[#@LINE+1]]:1: error: {{.*}}: __ballot has no mask, {{.*}} use __ballot_sync
__global__ void ballots(unsigned *values) { values[threadIdx.x] = __ballot(values[1]); }
// CHECK: error: 3 kernels have no code
#endif

// Those with a mask stay.
__global__ void masked(int *values) {
  values[0] = __shfl_sync(~0u, values[1], 3) + __any_sync(~0u, values[2]);
}
