// The form of addresses in a loop is a grain: moving pointers, the index each time, or an index of 64 bits.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s | FileCheck %s --check-prefix=REDUCED
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:addresses=indexed' --emit=ptx %s | FileCheck %s --check-prefix=INDEXED
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:addresses=wide' --emit=ptx %s | FileCheck %s --check-prefix=WIDE
// Both are in the space of a kernel with a loop, in no other space, and not for the CPU, whose code is the same.
// RUN: %regrain cc --emit=grain --targets=ptx --alternatives=24 %s 2>/dev/null | grep '^// ' | FileCheck %s --check-prefix=SPACE
// RUN: %regrain cc --emit=grain --targets=cpu --alternatives=24 %s 2>/dev/null | grep '^// ' | FileCheck %s --check-prefix=CPU

__global__ void find(int *found, const double *sums, const double *sought, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int at = -1;
  for (int j = 0; j < n; ++j)
    if (sums[j] >= sought[i]) {
      at = j;
      break;
    }
  found[i] = at;
}

// All columns have one base, each row has an index of 32 bits. Two pointers step by a row.
__global__ void distance(float *result, const float *data, int rows, int points, int other) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int row = 0; row < rows; ++row) {
    float difference = data[row * points + i] - data[row * points + other];
    sum += difference * difference;
  }
  result[i] = sum;
}

// REDUCED-LABEL: .entry _Z4find
// REDUCED: add.s64 [[POINTER:%rd[0-9]+]], [[POINTER]], 8;
// INDEXED-LABEL: .entry _Z4findPiPKdS1_i__grain_addressesindexed
// INDEXED-NOT: add.s64 {{.*}}, 8;
// INDEXED: mul.wide.u32 {{.*}}, 8;
// INDEXED-NEXT: add.s64
// INDEXED-NEXT: ld.global.f64
// INDEXED-NOT: add.s64 {{.*}}, 8;
// INDEXED: .entry _Z8distancePfPKfiii__grain

// REDUCED-LABEL: .entry _Z8distance
// REDUCED: ld.global.f32
// REDUCED-NEXT: ld.global.f32
// REDUCED-NEXT: sub.rn.f32
// INDEXED: ld.global.f32
// INDEXED-NEXT: add.s32
// INDEXED-NEXT: mul.wide.s32 {{.*}}, 4;
// INDEXED-NEXT: add.s64
// INDEXED-NEXT: ld.global.f32
// INDEXED-NEXT: sub.rn.f32
// WIDE-LABEL: .entry _Z8distancePfPKfiii__grain_addresseswide
// WIDE: ld.global.f32
// WIDE-NEXT: add.s64
// WIDE-NEXT: ld.global.f32
// WIDE-NEXT: sub.rn.f32

__global__ void straight(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

// SPACE: find
// SPACE-DAG: addresses=indexed
// SPACE-DAG: addresses=wide
// SPACE: straight
// SPACE-NOT: addresses=
// CPU: find
// CPU-NOT: addresses=
