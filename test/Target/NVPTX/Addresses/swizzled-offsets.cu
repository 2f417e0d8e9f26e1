// Constants leave the `xor` of swizzled addresses, where they change none of its bits and a loop would hold very many
// addresses otherwise: one base for each column.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s

__device__ unsigned load(unsigned address) {
  unsigned value;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address));
  return value;
}

template <unsigned Rows, unsigned Row, unsigned Column>
__device__ unsigned tile(unsigned base, unsigned more, int count, int step) {
  unsigned sum = 0;
#pragma unroll 1
  for (int k = 0; k < count; ++k)
#pragma unroll
    for (unsigned row = 0; row < Rows; ++row)
#pragma unroll
      for (unsigned column = 0; column < 8; ++column)
        sum = sum * 3 + load((base + k * step + row * Row) ^ (column * Column + more));
  return sum;
}

// CHECK-LABEL: .entry _Z7columnsPjS_i(
// CHECK-COUNT-7: xor.b32
// CHECK-NOT: xor.b32
// CHECK: ret;
__global__ void columns(unsigned *out, unsigned *in, int count) {
  out[threadIdx.x] = tile<11, 512, 32>(in[threadIdx.x], 0, count, 0);
}

// What is exchanged is not constant, but known to be small.
// CHECK-LABEL: .entry _Z5lanesPjS_i(
// CHECK-COUNT-8: xor.b32
// CHECK-NOT: xor.b32
// CHECK: ret;
__global__ void lanes(unsigned *out, unsigned *in, int count) {
  out[threadIdx.x] = tile<11, 256, 32>(in[threadIdx.x], in[32] & 31, count, 0);
}

// Few addresses.
// CHECK-LABEL: .entry _Z3fewPjS_i(
// CHECK-COUNT-28: xor.b32
// CHECK: ret;
__global__ void few(unsigned *out, unsigned *in, int count) {
  out[threadIdx.x] = tile<4, 512, 32>(in[threadIdx.x], 0, count, 0);
}

// The base changes in the loop.
// CHECK-LABEL: .entry _Z7changesPjS_ii(
// CHECK-COUNT-77: xor.b32
// CHECK: ret;
__global__ void changes(unsigned *out, unsigned *in, int count, int step) {
  out[threadIdx.x] = tile<11, 512, 32>(in[threadIdx.x], 0, count, step);
}

// Constants that change a bit of the `xor`.
// CHECK-LABEL: .entry _Z7commonsPjS_i(
// CHECK-COUNT-77: xor.b32
// CHECK: ret;
__global__ void commons(unsigned *out, unsigned *in, int count) {
  out[threadIdx.x] = tile<11, 8, 32>(in[threadIdx.x], 0, count, 0);
}
