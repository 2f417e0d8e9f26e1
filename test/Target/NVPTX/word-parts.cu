// A structure of 8 bytes that is passed by value is loaded by one access, with and without alternatives. What is used as
// a whole as well, is volatile, or is not aligned stays as it is.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:block.x=2' --emit=ptx %s -o - | FileCheck %s

static __device__ float distance(float2 a, float2 b) { return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y); }

// CHECK-LABEL: .entry halves(
// CHECK-NOT: ld.global{{(.nc)?}}.f32
// CHECK: ld.global{{(.nc)?}}.v2.{{[fu]}}32
// CHECK-NOT: ld.global{{(.nc)?}}.f32
// CHECK: ret;
extern "C" __global__ void halves(const float2 *__restrict__ a, const float2 *__restrict__ b, float *__restrict__ out, int n) {
  float least = 1e30f;
  float2 own = a[threadIdx.x];
  for (int i = 0; i < n; ++i)
    least = fminf(least, distance(own, b[i]));
  out[threadIdx.x] = least;
}

// CHECK-LABEL: .entry order(
// CHECK: ld.global.nc.v2.u32 {[[LOW:%r[0-9]+]], [[HIGH:%r[0-9]+]]}
// CHECK-DAG: st.global.u32 [{{%rd[0-9]+}}], [[LOW]];
// CHECK-DAG: st.global.u32 [{{%rd[0-9]+}}+4], [[HIGH]];
// CHECK: ret;
extern "C" __global__ void order(const unsigned long long *__restrict__ a, unsigned *__restrict__ out) {
  unsigned long long word = a[threadIdx.x];
  out[0] = unsigned(word);
  __threadfence();
  out[1] = unsigned(word >> 32);
}

// CHECK-LABEL: .entry whole(
// CHECK: ld.global.nc.u64
// CHECK: ret;
extern "C" __global__ void whole(const unsigned long long *__restrict__ a, unsigned long long *__restrict__ out) {
  unsigned long long word = a[threadIdx.x];
  out[threadIdx.x] = word * 5 + unsigned(word) + unsigned(word >> 32);
}

// CHECK-LABEL: .entry shifted(
// CHECK: ld.global.nc.u64
// CHECK: ret;
extern "C" __global__ void shifted(const unsigned long long *__restrict__ a, unsigned *__restrict__ out) {
  unsigned long long word = a[threadIdx.x];
  out[threadIdx.x] = unsigned(word) * unsigned(word >> 31);
}

// CHECK-LABEL: .entry changing(
// CHECK: ld.volatile.global.u64
// CHECK: ret;
extern "C" __global__ void changing(const volatile unsigned long long *a, unsigned *out) {
  unsigned long long word = a[threadIdx.x];
  out[threadIdx.x] = unsigned(word) * unsigned(word >> 32);
}
