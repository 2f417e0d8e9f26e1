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
