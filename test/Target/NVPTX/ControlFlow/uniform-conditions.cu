// A condition that a loop does not change is asked in front of two loops if all threads of a block
// agree on it.
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx %s -o - | FileCheck %s

// Both loops have a load and no selection.
// CHECK-LABEL: .entry _Z8argumentPfPKfib(
// CHECK-NOT: selp
// CHECK: ret;
__global__ void argument(float *out, const float *in, int count, bool wraps) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < count; ++i)
    sum += in[wraps ? i * 3 : i + 7];
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: .entry _Z5blockPfPKfi(
// CHECK-NOT: selp
// CHECK: ret;
__global__ void block(float *out, const float *in, int count) {
  bool wraps = blockIdx.x + blockDim.x * gridDim.x > 100;
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < count; ++i)
    sum += in[wraps ? i * 3 : i + 7];
  out[threadIdx.x] = sum;
}

// Lanes differ.
// CHECK-LABEL: .entry _Z6threadPfPKfi(
// CHECK: selp
// CHECK: ret;
__global__ void thread(float *out, const float *in, int count) {
  bool wraps = threadIdx.x & 1;
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < count; ++i)
    sum += in[wraps ? i * 3 : i + 7];
  out[threadIdx.x] = sum;
}

// Of two conditions, one differs: LLVM chooses between them, so both stay.
// CHECK-LABEL: .entry _Z4bothPfPKfib(
// CHECK: selp
// CHECK: selp
// CHECK: ret;
__global__ void both(float *out, const float *in, int count, bool wraps) {
  bool mine = threadIdx.x & 1;
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    sum += in[wraps ? i * 3 : i + 7];
    sum += in[mine ? i * 5 : i + 9];
  }
  out[threadIdx.x] = sum;
}

// What is in memory may differ, as another thread could write it.
// CHECK-LABEL: .entry _Z6memoryPfPKfiPKi(
// CHECK: selp
// CHECK: ret;
__global__ void memory(float *out, const float *in, int count, const int *flags) {
  bool wraps = flags[0];
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < count; ++i)
    sum += in[wraps ? i * 3 : i + 7];
  out[threadIdx.x] = sum;
}

// There is one barrier in the program, and so there is in the code.
// CHECK-LABEL: .entry _Z7barrierPfPKfib(
// CHECK-COUNT-1: bar.sync
// CHECK-NOT: bar.sync
// CHECK: ret;
__global__ void barrier(float *out, const float *in, int count, bool wraps) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    sum += in[wraps ? i * 3 : i + 7];
    __syncthreads();
    out[threadIdx.x] = sum;
  }
}

// An outer loop asks whether the inner one runs, and exists once.
// CHECK-LABEL: .entry _Z5outerPfPKfii(
// CHECK-COUNT-1: st.global
// CHECK-NOT: st.global
// CHECK: ret;
__global__ void outer(float *out, const float *in, int rows, int columns) {
#pragma unroll 1
  for (int row = 0; row < rows; ++row) {
    float sum = 0;
#pragma unroll 1
    for (int column = 0; column < columns; ++column)
      sum += in[row * 100 + column * column];
    out[row * 32 + threadIdx.x] = sum;
  }
}
