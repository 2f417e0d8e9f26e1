// Square roots of floats are exact, also within functions of the math library, unless -use_fast_math is given.
// REQUIRES: cuda-toolkit
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s | FileCheck %s --check-prefix=EXACT --implicit-check-not=sqrt.approx
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='*:thread.x=2' --emit=ptx %s | FileCheck %s --check-prefix=EXACT --implicit-check-not=sqrt.approx
// RUN: %regrain cc -O3 --targets=compute_90 -use_fast_math --emit=ptx %s | FileCheck %s --check-prefix=FAST --implicit-check-not=sqrt.rn

// EXACT: sqrt.rn.f32
// FAST: sqrt.approx.ftz.f32
__global__ void root(float *v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  v[i] = sqrtf(v[i]);
}

// EXACT: sqrt.rn.f32
// FAST: sqrt.approx.ftz.f32
__global__ void length(float *v, const float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  v[i] = hypotf(x[i], v[i]);
}
