// The constants in the indices of a large stencil are offsets of its accesses, so that these share addresses.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s | FileCheck %s

#define u(c, i, j, k) in[base + (c) * size + (i) + ni * (j) + nij * (k)]
#define row(c, j, k) (u(c, i - 2, j, k) - 8 * u(c, i - 1, j, k) + 3 * u(c, i, j, k) + 8 * u(c, i + 1, j, k) - u(c, i + 2, j, k))
#define product(c) (row(c, j - 2, k) * row(c, j, k - 2) + row(c, j - 1, k) * row(c, j, k - 1) + row(c, j + 1, k) * row(c, j, k + 1))

// CHECK-LABEL: .entry _Z7stencil
// CHECK-COUNT-18: ld.global.f64 {{.*}}+-8];
// CHECK: ret;
__global__ void stencil(double *out, const double *in, int first, int ni, int nij, int size) {
  int i = first + blockIdx.x * blockDim.x + threadIdx.x, j = first + blockIdx.y, k = first + blockIdx.z;
  int base = -(first + ni * first + nij * first);
  double sum = 0;
  sum += product(0) + product(1) + product(2);
  out[i + ni * j + nij * k] = sum;
}

// Of structures of three numbers, the constants are multiplied by their size.
#define v(c, i, j) in[(c) + 3 * ((i) - first) + 3 * pitch * ((j) - first)]
#define across(c, j) (v(c, i - 2, j) - 8 * v(c, i - 1, j) + 3 * v(c, i, j) + 8 * v(c, i + 1, j) - v(c, i + 2, j))
#define square(c) (across(c, j - 2) * across(c, j) + across(c, j - 1) * across(c, j) + across(c, j + 1) * across(c, j + 2))

// CHECK-LABEL: .entry _Z10structures
// CHECK-COUNT-5: ld.global.f64 {{.*}}+-48];
// CHECK: ret;
__global__ void structures(double *out, const double *in, int first, int ni) {
  int i = first + blockIdx.x * blockDim.x + threadIdx.x, j = first + blockIdx.y;
  size_t pitch = ni;
  double sum = 0;
  for (int c = 0; c < 3; ++c)
    sum += square(c) * square(c + 1) * square(c + 2);
  out[i + ni * j] = sum;
}

// Unsigned sums may wrap, and stay as they are.
#define w(c, i, j) in[int(c + 3u * (unsigned(i) - first))]
#define wrapped(c, j) (w(c, i - 2, j) - 8 * w(c, i - 1, j) + 3 * w(c, i, j) + 8 * w(c, i + 1, j) - w(c, i + 2, j))

// CHECK-LABEL: .entry _Z5wraps
// CHECK-NOT: +-48]
// CHECK: ret;
__global__ void wraps(double *out, const double *in, unsigned first, int ni) {
  unsigned i = first + blockIdx.x * blockDim.x + threadIdx.x, j = first + blockIdx.y;
  double sum = 0;
#define TERM(c) sum += wrapped(c * ni, j) * out[c * ni];
  TERM(0) TERM(1) TERM(2) TERM(3) TERM(4) TERM(5) TERM(6) TERM(7) TERM(8) TERM(9) TERM(10) TERM(11) TERM(12)
  out[i + ni * j] = sum;
}

// Nine neighbours in a matrix whose width is known share one address, also behind a comparison that shows LLVM that sums of their
// coordinates have no common bits.
// CHECK-LABEL: .entry _Z10neighboursPfPKf(
// CHECK: add.s64 [[ADDRESS:%rd[0-9]+]],
// CHECK-NOT: add.s64
// CHECK-DAG: ld.global.f32 {{.*}}[[ADDRESS]]+-16388];
// CHECK-DAG: ld.global.f32 {{.*}}[[ADDRESS]]+-4];
// CHECK-DAG: ld.global.f32 {{.*}}[[ADDRESS]]+16388];
// CHECK: ret;
#define at(i, j) in[(i) * 4096 + (j)]
__global__ void neighbours(float *out, const float *in) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > 0 && i < 4095 && j > 0 && j < 4095)
    out[i * 4096 + j] = at(i - 1, j - 1) + 2 * at(i - 1, j) + 3 * at(i - 1, j + 1) + 4 * at(i, j - 1) + 5 * at(i, j) +
                        6 * at(i, j + 1) + 7 * at(i + 1, j - 1) + 8 * at(i + 1, j) + 9 * at(i + 1, j + 1);
}

// In a loop, strength reduction forms the addresses of the same neighbours, from a product of 32 bits.
// CHECK-LABEL: .entry _Z6columnPfPKfii(
// CHECK: mul.lo.s32
// CHECK-NOT: mul.lo.s64
// CHECK-COUNT-2: mul.wide.s32 {{.*}}, 4;
// CHECK-NOT: mul.wide.s32
// CHECK: ret;
__global__ void column(float *out, const float *in, int i, int n) {
  float sum = 0;
#pragma unroll 1
  for (int j = threadIdx.x; j < n; j += 7)
    sum += in[(i - 1) * 3075 + j - 1] + 2 * in[(i - 1) * 3075 + j + 1] + 3 * in[(i + 1) * 3075 + j - 1] + 4 * in[(i + 1) * 3075 + j + 1];
  out[threadIdx.x] = sum;
}

// With one row of neighbours, and with unsigned coordinates, the sums keep 32 bits.
// CHECK-LABEL: .entry _Z3onePfPKfi(
// CHECK: mul.wide.s32
// CHECK: ret;
__global__ void one(float *out, const float *in, int i) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  out[j] = in[(i - 1) * 12 + j];
}
// CHECK-LABEL: .entry _Z5turnsPfPKfjj(
// CHECK-COUNT-6: mul.wide.u32
// CHECK: ret;
__global__ void turns(float *out, const float *in, unsigned i, unsigned j) {
  out[threadIdx.x] = at(i - 1, j - 1) + 2 * at(i - 1, j + 1) + 3 * at(i + 1, j - 1) + 4 * at(i + 1, j + 1) + 5 * at(i - 2, j) + 6 * at(i + 2, j);
}
