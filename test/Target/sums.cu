// A sum becomes four, each of every fourth term, which are added at the end.
// RUN: %regrain cc -O3 --targets=ptx --reassociate --coarsen='*:sums=reassociated' --emit=ptx %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %regrain cc -O3 --targets=cpu --reassociate --coarsen='*:sums=reassociated' --emit=asm %s | FileCheck %s --check-prefix=CPU

// The sums that are added begin with -0, which changes no sum.
// CHECK-LABEL: .entry _Z3dot{{.*}}__grain_sumsreassociated(
// CHECK: mov.f32 {{.*}}, 0f80000000;
// CHECK: fma.rn.f32 [[A:%f[0-9]+]], {{%f[0-9]+, %f[0-9]+}}, [[A]];
// CHECK: fma.rn.f32 [[B:%f[0-9]+]], {{%f[0-9]+, %f[0-9]+}}, [[B]];
// CHECK: fma.rn.f32 [[C:%f[0-9]+]], {{%f[0-9]+, %f[0-9]+}}, [[C]];
// CHECK: fma.rn.f32 [[D:%f[0-9]+]], {{%f[0-9]+, %f[0-9]+}}, [[D]];
// CHECK: bra
// CHECK-DAG: add.rn.f32 [[AB:%f[0-9]+]], [[A]], [[B]];
// CHECK-DAG: add.rn.f32 [[CD:%f[0-9]+]], [[C]], [[D]];
// CHECK: add.rn.f32 {{%f[0-9]+}}, [[AB]], [[CD]];
// CPU-LABEL: dot
__global__ void dot(const float *__restrict__ a, const float *__restrict__ b, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[threadIdx.x * n + i] * b[i];
  out[threadIdx.x] = sum;
}

// The loop may end behind each of its unrolled steps, and the parts are added up there.
// CHECK-LABEL: .entry _Z7strided{{.*}}__grain_sumsreassociated(
// CHECK: mov.f32 {{.*}}, 0f80000000;
// CHECK-COUNT-4: fma.rn.f32
// CHECK: ret;
__global__ void strided(const float *__restrict__ a, float *out, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += a[i] * a[i];
  out[threadIdx.x] = sum;
}

// A loop that is unrolled completely leaves one chain of additions.
// CHECK-LABEL: .entry _Z5whole{{.*}}__grain_sumsreassociated(
// CHECK-NOT: bra
// CHECK: add.rn.f32 [[FIRST:%f[0-9]+]],
// CHECK-NOT: add.rn.f32 {{%f[0-9]+}}, [[FIRST]],
// CHECK: add.rn.f32
// CHECK: ret;
__global__ void whole(const float *__restrict__ a, float *out) {
  float sum = 0;
  for (int i = 0; i < 16; ++i)
    sum += a[threadIdx.x * 16 + i];
  out[threadIdx.x] = sum;
}

// A compensated sum looks at its partial sums: their order stays.
// CHECK-LABEL: .entry _Z5kahan{{.*}}__grain_sumsreassociated(
// CHECK-NOT: 0f80000000
// CHECK: ret;
__global__ void kahan(const float *__restrict__ a, float *out, int n) {
  float sum = 0, lost = 0;
  for (int i = 0; i < n; ++i) {
    float term = a[threadIdx.x * n + i] - lost;
    float next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  out[threadIdx.x] = sum;
}

// So does a sum that is stored on the way.
// CHECK-LABEL: .entry _Z6prefix{{.*}}__grain_sumsreassociated(
// CHECK-NOT: 0f80000000
// CHECK: ret;
__global__ void prefix(const float *__restrict__ a, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    out[threadIdx.x * n + i] = sum += a[threadIdx.x * n + i];
}

// Integers have no order that matters, and a product is no sum.
// CHECK-LABEL: .entry _Z7product{{.*}}__grain_sumsreassociated(
// CHECK-NOT: 0f80000000
// CHECK: ret;
__global__ void product(const float *__restrict__ a, float *out, int n) {
  float result = 1;
  for (int i = 0; i < n; ++i)
    result *= a[threadIdx.x * n + i];
  out[threadIdx.x] = result;
}
int main() { return 0; }
