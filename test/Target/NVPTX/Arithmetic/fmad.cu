// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s | FileCheck %s --check-prefixes=FUSED,BOTH
// RUN: %regrain cc -O3 --targets=ptx -fmad=false --emit=ptx %s | FileCheck %s --check-prefixes=APART,BOTH
// RUN: %regrain cc -O3 --targets=ptx -fmad=false --coarsen='*:thread.x=2' --emit=ptx %s | FileCheck %s --check-prefixes=APART,BOTH
// RUN: %regrain cc -O3 --targets=ptx -ffp-contract=off --emit=ptx %s | FileCheck %s --check-prefixes=APART,BOTH
// RUN: %regrain cc -O3 --targets=ptx -ffp-contract=off --coarsen='*:thread.x=2' --emit=ptx %s | FileCheck %s --check-prefixes=APART,BOTH
// RUN: %regrain cc -O3 --targets=ptx -fmad=true -ffp-contract=off --emit=ptx %s | FileCheck %s --check-prefixes=APART,BOTH
// RUN: %regrain cc -O3 --targets=ptx -ffp-contract=off -fmad=true --emit=ptx %s | FileCheck %s --check-prefixes=FUSED,BOTH
// RUN: %regrain cc -O3 --targets=ptx -ffp-contract=on --emit=ptx %s | FileCheck %s --check-prefixes=FUSED,BOTH
// RUN: %regrain cc -O3 --targets=ptx -ffp-contract=on --coarsen='*:thread.x=2' --emit=ptx %s | FileCheck %s --check-prefixes=FUSED,BOTH
// RUN: %regrain cc -O3 --targets=ptx -ffp-contract=fast --emit=ptx %s | FileCheck %s --check-prefixes=FUSED,BOTH
// -fmad=false keeps products and sums separate, and tells the assembler so by their rounding. So does
// -ffp-contract=off; the last of both options decides. For device code, clang's "on" means the same as "fast".

// BOTH-LABEL: .entry product_and_sum
// FUSED: fma.rn.f32
// APART-NOT: fma
// APART: mul.rn.f32
// APART: add.rn.f32
extern "C" __global__ void product_and_sum(float *out, const float *in, float a, float b) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * a + b;
}

// BOTH-LABEL: .entry across_statements
// FUSED: fma.rn.f32
// APART-NOT: fma
// APART: mul.rn.f32
// APART: add.rn.f32
extern "C" __global__ void across_statements(float *out, const float *in, float a, float b) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float product = in[i] * a;
  out[i] = product + b;
}

// Operations that the source fuses are fused.
// BOTH-LABEL: .entry asked_for
// BOTH: fma.rn.f32
extern "C" __global__ void asked_for(float *out, const float *in, float a, float b) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __fmaf_rn(in[i], a, b);
}
