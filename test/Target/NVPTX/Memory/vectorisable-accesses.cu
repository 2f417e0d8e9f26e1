// Accesses of joined neighbours become one where the row is found by a division.
// RUN: %regrain cc --targets=compute_90 -O3 --emit=ptx --coarsen='*:thread.x=4:contiguous,for.arg2=4n,for.pointers=16' %s | FileCheck %s
// CHECK-LABEL: .entry _Z4rowsPhPKsi__grain
// CHECK: ld.global.v4.u16
// CHECK: st.global.u32

// The width is a multiple of two only, so four neighbours are aligned as pairs.
// RUN: %regrain cc --targets=compute_90 -O3 --emit=ptx --coarsen='*:thread.x=4:contiguous,for.arg2=2n,for.pointers=4' %s | FileCheck %s --check-prefix=PAIRS
// PAIRS-LABEL: .entry _Z4rowsPhPKsi__grain
// PAIRS-NOT: .v4.u16
// PAIRS: ld.global.u32
// PAIRS: st.global.v2.u8

__global__ void rows(unsigned char *out, const short *in, int width) {
  int t = threadIdx.x, groups = width / 128, row = blockIdx.x / groups, g = blockIdx.x % groups;
  const short *from = in + size_t(row) * 2 * width + g * 128;
  out[size_t(row) * width + g * 128 + t] = from[t] * 3;
}

// What is left by a division by a multiple is a multiple, also of a number that a loop carries.
// RUN: %regrain cc --targets=compute_90 -O3 --emit=ptx --coarsen='add*:thread.x=4:contiguous,for.arg3=4n,for.pointers=16' %s | FileCheck %s --check-prefix=REST
// RUN: %regrain cc --targets=compute_90 -O3 --emit=ptx --coarsen='add*:thread.x=4:contiguous,for.arg3=2n,for.pointers=16' %s | FileCheck %s --check-prefix=HALF
// REST-LABEL: .entry _Z3addPfPKfii__grain
// REST: ld.global.v4.f32
// REST: ld.global.v4.f32
// REST: st.global.v4.f32
// HALF-LABEL: .entry _Z3addPfPKfii__grain
// HALF: ld.global.v4.f32
// HALF-NOT: ld.global.v4.f32
// HALF: ret;
__global__ void add(float *out, const float *row, int count, int width) {
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
    out[i] += row[i % width];
}
