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
