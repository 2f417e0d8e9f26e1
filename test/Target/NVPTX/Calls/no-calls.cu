// Kernels call no functions if that can be avoided, and divide 16 bits as 32.
// RUN: %regrain cc --emit=ptx --targets=compute_90 %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: FileCheck %s --check-prefix=NARROW < %t.ptx
__device__ __noinline__ unsigned leaf(unsigned x) { return x * x + 7; }
__device__ __noinline__ unsigned twice(unsigned x) { return leaf(x) ^ leaf(x >> 3); }
// A function that calls itself stays a call, in the kernel and in the function.
__device__ __noinline__ unsigned steps(unsigned x) {
  return x < 2 ? 0 : 1 + (x % 2 ? steps(3 * x + 1) ^ steps(x / 3) : steps(x / 2));
}

// CHECK-LABEL: .entry inlined(
// CHECK-NOT: call
// CHECK: ret;
extern "C" __global__ void inlined(unsigned *out) {
  if (out[threadIdx.x] & 1)
    out[threadIdx.x] = twice(out[threadIdx.x]);
  else
    out[threadIdx.x] = leaf(blockIdx.x);
}

// CHECK-LABEL: .entry recursive(
// CHECK: call.uni
// CHECK: _Z5stepsj
extern "C" __global__ void recursive(unsigned *out) { out[threadIdx.x] = steps(out[threadIdx.x]); }

// NARROW-NOT: {{(div|rem)\.[us]16}}
// NARROW-LABEL: .entry narrow(
// NARROW-NOT: {{(div|rem)\.[us]16}}
// NARROW-DAG: rem.u32
// NARROW-DAG: div.s32
// NARROW-NOT: {{(div|rem)\.[us]16}}
extern "C" __global__ void narrow(unsigned short *out, const short *in) {
  out[threadIdx.x] = (out[threadIdx.x] % out[threadIdx.x + 64]) ^ (in[threadIdx.x] / in[threadIdx.x + 64]);
}
