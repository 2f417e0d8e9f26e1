// -use_fast_math replaces the single-precision functions that CUDA's documentation lists, by whatever name they are
// called, and no others: not those in double precision, and not what has a rounding of its own.
// RUN: %regrain cc --targets=compute_90 --emit=llvm -DLISTED -use_fast_math %s | FileCheck %s --check-prefix=FAST
// RUN: %regrain cc --targets=compute_90 --emit=llvm -DLISTED %s | FileCheck %s --check-prefix=EXACT --implicit-check-not=fast_ --implicit-check-not=@_ZL15regrainFastTanhf
// RUN: %regrain cc --targets=compute_90 --emit=llvm -DOVERLOADS -use_fast_math %s | FileCheck %s --check-prefix=OVERLOADS --implicit-check-not='@__nv_{{exp|pow|tan|log}}'
// RUN: %regrain cc --targets=compute_90 --emit=llvm -DKEPT -use_fast_math %s | FileCheck %s --check-prefix=KEPT --implicit-check-not=fast_ --implicit-check-not=tanh.approx
#include <cmath>

// FAST-DAG: call{{.*}} @__nv_fast_sinf(
// FAST-DAG: call{{.*}} @__nv_fast_cosf(
// FAST-DAG: call{{.*}} @__nv_fast_tanf(
// FAST-DAG: call{{.*}} @__nv_fast_expf(
// FAST-DAG: call{{.*}} @__nv_fast_exp10f(
// FAST-DAG: call{{.*}} @__nv_fast_logf(
// FAST-DAG: call{{.*}} @__nv_fast_log2f(
// FAST-DAG: call{{.*}} @__nv_fast_log10f(
// FAST-DAG: call{{.*}} @__nv_fast_powf(
// FAST-DAG: call{{.*}} @__nv_fast_sincosf(
// FAST-DAG: asm "tanh.approx.f32
// EXACT-DAG: call{{.*}} @__nv_tanf(
// EXACT-DAG: call{{.*}} @__nv_tanhf(
// EXACT-DAG: call{{.*}} @__nv_expf(
// EXACT-DAG: call{{.*}} @__nv_exp10f(
// EXACT-DAG: call{{.*}} @__nv_log10f(
// EXACT-DAG: call{{.*}} @__nv_powf(
#ifdef LISTED
__global__ void listed(float *v) {
  v[0] = sinf(v[0]);
  v[1] = cosf(v[1]);
  v[2] = tanf(v[2]);
  v[3] = tanhf(v[3]);
  v[4] = expf(v[4]);
  v[5] = exp10f(v[5]);
  v[6] = logf(v[6]);
  v[7] = log2f(v[7]);
  v[8] = log10f(v[8]);
  v[9] = powf(v[9], v[10]);
  sincosf(v[11], v + 12, v + 13);
}
#endif

// OVERLOADS-DAG: call{{.*}} @__nv_fast_expf(
// OVERLOADS-DAG: call{{.*}} @__nv_fast_powf(
// OVERLOADS-DAG: call{{.*}} @__nv_fast_tanf(
// OVERLOADS-DAG: call{{.*}} @__nv_fast_log10f(
// OVERLOADS-DAG: call{{.*}} @__nv_fast_exp10f(
// OVERLOADS-DAG: asm "tanh.approx.f32
#ifdef OVERLOADS
__global__ void overloads(float *v) {
  v[0] = exp(v[0]) + std::exp(v[1]);
  v[2] = pow(v[2], v[3]) + std::pow(v[4], v[5]);
  v[6] = tan(v[6]) + std::tanh(v[7]);
  v[8] = log10(v[8]) + exp10(v[9]);
}
#endif

// KEPT: define
#ifdef KEPT
__global__ void kept(float *v, double *d) {
  v[0] = exp2f(v[0]) + erff(v[1]) + acosf(v[2]) + atan2f(v[3], v[4]) + sinhf(v[5]) + log1pf(v[6]);
  v[7] = __fdiv_rn(v[7], v[8]) + __fsqrt_rn(v[9]);
  d[0] = exp(d[0]) + pow(d[1], d[2]) + tan(d[3]) + tanh(d[4]) + log10(d[5]);
}
#endif
