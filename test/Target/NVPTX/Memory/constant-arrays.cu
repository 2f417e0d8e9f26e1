// An array of a thread that is filled with constants alone becomes a constant in global memory, which no thread writes.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='*:thread.x=2' --emit=ptx %s -o - | FileCheck %s --check-prefix=GRAIN

// The bytes, once for both functions that use them, and for both threads of a grain. 255 is 0xff.
// CHECK-COUNT-1: .global .align {{.*}}regrain{{.*}}table[72] = {0, 0, 0, 0, 255, {{.*}}};
// CHECK-NOT: .global .align {{.*}}[72]

__device__ void set(int (&wheel)[6][3], int r, int g, int b, int k) {
  wheel[k][0] = r;
  wheel[k][1] = g;
  wheel[k][2] = b;
}

__device__ int wheelAt(int place, int channel) {
  int wheel[6][3], k = 0;
  for (int i = 0; i < 4; ++i)
    set(wheel, 255 * i / 3, 255, 0, k++);
  for (int i = 0; i < 2; ++i)
    set(wheel, 0, 255 - 255 * i / 2, 7, k++);
  return wheel[place][channel];
}

// CHECK-LABEL: .entry _Z5looksPiPKi(
// CHECK-NOT: .local
// CHECK: ld.global.nc.u32 {{.*}}+4];
// CHECK-NOT: .local
// CHECK: ret;
// GRAIN: .entry {{.*}}looks{{.*}}__grain_thread_x2(
// GRAIN-NOT: .local
// GRAIN-COUNT-2: ld.global.nc.u32 {{.*}}+4];
// GRAIN: ret;
__global__ void looks(int *out, const int *places) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  out[i] = wheelAt(places[i], 1);
}

// CHECK-LABEL: .entry _Z9looksLessPiPKi(
// CHECK-NOT: st.local
// CHECK: ret;
__global__ void looksLess(int *out, const int *places) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  out[i] = wheelAt(places[i], 2) + 1;
}

// An element that is not constant, one that is written twice, one that is written at any place, volatile elements, an
// address that goes elsewhere, and addresses as contents.
// CHECK-LABEL: .entry _Z10isVariablePiPKi(
// CHECK: st.local
// CHECK: ret;
__global__ void isVariable(int *out, const int *places) {
  int numbers[4] = {1, 2, 3, places[1]};
  out[threadIdx.x] = numbers[places[threadIdx.x]];
}

// CHECK-LABEL: .entry _Z7changesPiPKi(
// CHECK: st.local
// CHECK: ret;
__global__ void changes(int *out, const int *places) {
  int numbers[4] = {1, 2, 3, 4};
  out[threadIdx.x] = numbers[places[threadIdx.x]];
  numbers[2] = 5;
  out[threadIdx.x + 1024] = numbers[places[threadIdx.x]];
}

// CHECK-LABEL: .entry _Z6anyOnePiPKi(
// CHECK: st.local
// CHECK: ret;
__global__ void anyOne(int *out, const int *places) {
  int numbers[4] = {1, 2, 3, 4};
  numbers[places[threadIdx.x + 1]] = 4;
  out[threadIdx.x] = numbers[places[threadIdx.x]];
}

// CHECK-LABEL: .entry _Z10isVolatilePiPKi(
// CHECK: st.{{(volatile.)?}}local
// CHECK: ret;
__global__ void isVolatile(int *out, const int *places) {
  volatile float numbers[3];
  numbers[0] = 1;
  numbers[1] = 2;
  numbers[2] = 3;
  out[threadIdx.x] = numbers[places[threadIdx.x]];
}

__device__ const int *kept;

// CHECK-LABEL: .entry _Z7escapesPiPKi(
// CHECK: st.local
// CHECK: ret;
__global__ void escapes(int *out, const int *places) {
  int numbers[3];
  numbers[0] = 1;
  numbers[1] = 2;
  numbers[2] = 3;
  kept = numbers;
  out[threadIdx.x] = numbers[places[threadIdx.x]];
}

// CHECK-LABEL: .entry _Z9addressesPiPKi(
// CHECK: st.local
// CHECK: ret;
__global__ void addresses(int *out, const int *places) {
  __shared__ int first[2], second[2], third[2];
  int *all[3];
  all[0] = first;
  all[1] = second;
  all[2] = third;
  all[places[threadIdx.x]][0] = threadIdx.x;
  out[threadIdx.x] = first[0] + second[0] + third[0];
}
