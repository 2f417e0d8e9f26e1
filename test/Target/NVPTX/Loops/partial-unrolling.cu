// Loops that are too long to be unrolled completely are unrolled in part, as far as nvcc does. What the program says of a loop takes
// precedence.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s -o %t.ptx 2>&1 | count 0
// RUN: %python %S/../Inputs/count.py ld.global %t.ptx | FileCheck %s --match-full-lines
// ptxas may unroll what remains further, except the loop for the rest of the iterations.
// RUN: %python %S/../Inputs/count.py .pragma %t.ptx | FileCheck %s --check-prefix=PRAGMAS --match-full-lines
// PRAGMAS: dividing: 0
// PRAGMAS: larger: 0
// PRAGMAS: unknown: 1
// PRAGMAS: ends_early: 0
// PRAGMAS: ends_late: 0
// A grain that asks for no unrolling has none.
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:unroll=none' --emit=ptx %s -o %t.none.ptx
// RUN: %python %S/../Inputs/count.py ld.global %t.none.ptx | FileCheck %s --check-prefix=NONE --match-full-lines

// The largest power of two that divides the length and suits the body: 16 of 4096 steps, and 8 of 1000.
// CHECK: dividing: 16
// CHECK-NEXT: thousand: 8
// NONE: dividing: 1
__global__ void dividing(const int *__restrict__ p, int *out) {
  int sum = 0;
  for (int i = 0; i < 4096; ++i)
    sum += p[i * 32 + threadIdx.x * 131072];
  out[threadIdx.x] = sum;
}
__global__ void thousand(const int *__restrict__ p, int *out) {
  int sum = 0;
  for (int i = 0; i < 1000; ++i)
    sum += p[i * 32 + threadIdx.x * 131072];
  out[threadIdx.x] = sum;
}
// A larger body is unrolled less: 4 steps of 8 loads.
// CHECK-NEXT: larger: 32
__global__ void larger(const int *__restrict__ p, int *out) {
  int sum = 0;
  for (int i = 0; i < 4096; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j)
      sum += p[i * 1024 + j * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}
// Four steps of an unknown length, and one in the loop for the rest.
// CHECK-NEXT: unknown: 30
__global__ void unknown(const int *__restrict__ p, int *out, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 6; ++j)
      sum += p[i * 1024 + j * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}
// A prime length is left to LLVM. A large body and loops of which the program says how they are unrolled stay.
// CHECK-NEXT: prime: 8
// CHECK-NEXT: huge: 48
// CHECK-NEXT: told: 2
// CHECK-NEXT: not_at_all: 1
__global__ void prime(const int *__restrict__ p, int *out) {
  int sum = 0;
  for (int i = 0; i < 4099; ++i)
    sum += p[i * 32 + threadIdx.x * 131168];
  out[threadIdx.x] = sum;
}
__global__ void huge(const int *__restrict__ p, int *out, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 48; ++j)
      sum += p[i * 4096 + j * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}
__global__ void told(const int *__restrict__ p, int *out) {
  int sum = 0;
#pragma unroll 2
  for (int i = 0; i < 4096; ++i)
    sum += p[i * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}
__global__ void not_at_all(const int *__restrict__ p, int *out) {
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < 4096; ++i)
    sum += p[i * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}
// A loop that may end early, and one whose counter may wrap, is not counted.
// CHECK-NEXT: early: 1
// CHECK-NEXT: wraps: 1
__global__ void early(const int *__restrict__ p, int *out, int key, int n) {
  int found = -1;
  for (int i = 0; i < n; ++i)
    if (p[i] == key) {
      found = i;
      break;
    }
  out[threadIdx.x] = found;
}
__global__ void wraps(const int *__restrict__ p, int *out, unsigned n) {
  int sum = 0;
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += p[i];
  out[threadIdx.x] = sum;
}
// Arithmetic counts once for each operation, rotations as three: 4 iterations of 32 operations, and 2 of 24 rotations.
// CHECK-NEXT: sums: 5
// CHECK-NEXT: rotations: 3
// CHECK-NEXT: fused: 5
// CHECK-NEXT: quotients: 3
__global__ void sums(const unsigned *__restrict__ p, unsigned *out, unsigned b, unsigned c, int n) {
  unsigned a = 0;
  for (int i = 0; i < n; ++i) {
    a += p[i];
#pragma unroll
    for (int j = 0; j < 16; ++j)
      a = (a + b) ^ c;
  }
  out[threadIdx.x] = a;
}
__global__ void rotations(const unsigned *__restrict__ p, unsigned *out, unsigned b, int n) {
  unsigned a = 0;
  for (int i = 0; i < n; ++i) {
    a += p[i];
#pragma unroll
    for (int j = 0; j < 16; ++j)
      a = ((a << 5) | (a >> 27)) ^ b;
  }
  out[threadIdx.x] = a;
}
__global__ void fused(const float *__restrict__ p, float *out, float b, float c, int n) {
  float a = 0;
  for (int i = 0; i < n; ++i) {
    a += p[i];
#pragma unroll
    for (int j = 0; j < 16; ++j)
      a = a * b + c;
  }
  out[threadIdx.x] = a;
}
__global__ void quotients(const float *__restrict__ p, float *out, float b, int n) {
  float a = 0;
  for (int i = 0; i < n; ++i) {
    a += p[i];
#pragma unroll
    for (int j = 0; j < 16; ++j)
      a = a / b;
  }
  out[threadIdx.x] = a;
}
// A loop of at most 8 iterations is unrolled by 4, with a loop for the rest.
// CHECK-NEXT: eight: 5
__global__ void eight(const int *__restrict__ p, int *out) {
  int sum = 0;
  for (int i = threadIdx.x * 4; i < 4096; i += 512)
    sum += p[i];
  out[threadIdx.x] = sum;
}
// In another loop, the rest of the iterations is no loop: 4 steps, and up to 3 others.
// CHECK-NEXT: ends_early: 14
__global__ void ends_early(const unsigned char *__restrict__ p, const unsigned char *__restrict__ q, int *out, int n, int m) {
  for (int i = 0; i < m; ++i) {
    int differences = 0;
    for (int j = 0; j < n; ++j)
      differences += p[threadIdx.x + j] != q[i + j];
    if (differences < 5) {
      out[threadIdx.x] = i;
      break;
    }
  }
}
// CHECK-NEXT: ends_late: 14
__global__ void ends_late(const unsigned char *__restrict__ p, const unsigned char *__restrict__ q, int *out, int n, int m) {
  for (int i = 0; i < m; ++i) {
    int differences = 0;
    for (int j = 0; j < n; ++j)
      differences += p[threadIdx.x + j] != q[i + j];
    out[threadIdx.x + 1024 * i] = differences;
  }
}
// A large loop whose counter may wrap around is not unrolled by 2, while one whose counter does not is; a short loop is
// unrolled by 4 all the same.
// CHECK-NEXT: wrapping_large: 1
// CHECK-NEXT: counted_large: 3
// CHECK-NEXT: wrapping_short: 5
template <typename Number>
__device__ int digits(int x, Number by) {
#pragma unroll
  for (int i = 0; i < 24; ++i)
    x = (x << 3 ^ x) + by;
  return x;
}
__global__ void wrapping_large(const int *__restrict__ p, int *out, unsigned n) {
  int sum = 0;
  for (unsigned i = threadIdx.x & 31; i < n; i += 32)
    sum ^= digits(p[i], n);
  out[threadIdx.x] = sum;
}
__global__ void counted_large(const int *__restrict__ p, int *out, int n) {
  int sum = 0;
  for (int i = threadIdx.x & 31; i < n; i += 32)
    sum ^= digits(p[i], n);
  out[threadIdx.x] = sum;
}
__global__ void wrapping_short(const int *__restrict__ p, int *out, unsigned n) {
  int sum = 0;
  for (unsigned i = threadIdx.x & 31; i < n; i += 32)
    sum ^= p[i];
  out[threadIdx.x] = sum;
}
// So does not a short loop whose counter may wrap around in unknown steps, although the range of the block's size shows that
// it does not. If the program says that it does not, or the step is known, it is unrolled.
// CHECK-NEXT: steps_of_block: 1
// CHECK-NEXT: fills_table: 1
// CHECK-NEXT: steps_on_left: 1
// CHECK-NEXT: signed_steps: 5
// CHECK-NEXT: known_steps: 5
__global__ void steps_of_block(const int *__restrict__ p, int *out, int n) {
  for (int i = threadIdx.x; i < n / 2; i += blockDim.x)
    out[i] = p[i];
}
__global__ void fills_table(const int *__restrict__ p, int *out) {
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    out[i] = p[i];
}
__global__ void steps_on_left(const int *__restrict__ p, int *out, int n) {
  for (int i = threadIdx.x; i < n / 2; i = blockDim.x + i)
    out[i] = p[i];
}
__global__ void signed_steps(const int *__restrict__ p, int *out, int n) {
  int step = blockDim.x;
  for (int i = threadIdx.x; i < n / 2; i += step)
    out[i] = p[i];
}
__global__ void known_steps(const int *__restrict__ p, int *out, int n) {
  for (int i = threadIdx.x; i < n / 2; i += 256u)
    out[i] = p[i];
}
