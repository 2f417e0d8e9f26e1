// A switch that has a case for every value has no default, for any number of cases.
// RUN: %regrain cc --emit=ptx --targets=compute_90 %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx

// CHECK-LABEL: .entry closed(
// CHECK-NOT: exit;
// CHECK: bar.sync
// CHECK-NOT: exit;
// CHECK: ret;
extern "C" __global__ void closed(unsigned *out, const unsigned *in) {
  unsigned x = in[threadIdx.x];
  switch (x % 4) {
  case 0: out[x % 7] = 5; break;
  case 1: out[threadIdx.x] = x * 3; break;
  case 2: out[blockIdx.x + threadIdx.x] = in[x % 5]; break;
  }
  __syncthreads();
  out[threadIdx.x + 32] = out[threadIdx.x] ^ x;
}

// A default that the program has stays.
// CHECK-LABEL: .entry open(
// CHECK: trap;
extern "C" __global__ void open(unsigned *out, const unsigned *in) {
  switch (in[threadIdx.x]) {
  case 0: out[0] = 5; break;
  case 1: out[threadIdx.x] = 3; break;
  default: __trap();
  }
}
