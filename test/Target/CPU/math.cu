// A function has the same bits in a vector and alone, so that results do not
// depend on the number of threads of a block; and calls are vectorised.
// RUN: %device-ir %s -o %t.ll
// RUN: regrain-cpu-test %t.ll --run --kernel=functions --block=64 --n=64 > %t.vector
// RUN: regrain-cpu-test %t.ll --run --kernel=functions --block=1 --grid=64 --n=64 > %t.scalar
// RUN: cmp %t.vector %t.scalar
// RUN: regrain-cpu-test %t.ll --run --kernel=functions --block=64 --n=64 --path=continuations > %t.general
// RUN: cmp %t.vector %t.general
// RUN: regrain-cpu-test %t.ll --emit=optimized --kernel=functions | FileCheck %s
// RUN: regrain-cpu-test %t.ll --emit=optimized --kernel=functions --level=v2 | FileCheck %s --check-prefix=V2

// CHECK-DAG: call{{.*}} <8 x float> @Sleef_finz_sinf8_u10avx2(
// CHECK-DAG: call{{.*}} float @Sleef_finz_sinf1_u10purecfma(
// CHECK-DAG: call{{.*}} <8 x float> @Sleef_finz_powf8_u10avx2(
// V2-DAG: call{{.*}} <4 x float> @Sleef_cinz_sinf4_u10sse4(
// V2-DAG: call{{.*}} float @Sleef_cinz_sinf1_u10purec(
extern "C" __global__ void functions(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i] * 0.37f + 0.1f;
  float y = sinf(x) + expf(-x) * logf(x) + powf(x, 1.3f) + rsqrtf(x) + tanhf(x) + erff(x) +
            atan2f(x, 2.0f) + cbrtf(x) + fmodf(x, 0.7f) + __expf(-x) + __fdividef(1.0f, x);
  out[i] = __float_as_int(y);
}
