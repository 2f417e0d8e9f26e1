// Loops of known length are unrolled completely up to about nvcc's limit, and further as a grain asks; other loops are
// unrolled as a grain asks. What the program says of a loop takes precedence.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s | FileCheck %s --check-prefix=ORIGINAL
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:unroll=full' --emit=ptx %s | FileCheck %s --check-prefix=FULL
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:unroll=none' --emit=ptx %s | FileCheck %s --check-prefix=NONE
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:unroll=4' --emit=ptx %s | FileCheck %s --check-prefix=FOUR
// Targets that unroll by themselves ignore the piece.
// RUN: %regrain cc -O3 --targets=cpu --coarsen='*:unroll=full' -c %s -o %t.o 2>&1 | count 0

__constant__ unsigned table[32];

// 31 steps of a condition and a load are 31 conditions on constant bits.
// ORIGINAL-LABEL: .entry _Z5steps
// ORIGINAL: ld.const.v4.u32 {{.*}}, [table+112];
// ORIGINAL-NOT: bra
// ORIGINAL: ret;
// NONE-LABEL: .entry _Z5steps{{.*}}__grain_unrollnone(
// NONE: .pragma "nounroll";
// NONE: ld.global
// NONE-NOT: ld.global
// NONE: ret;
__global__ void steps(unsigned *out, unsigned data) {
  unsigned result = 0;
  data ^= threadIdx.x;
  for (int bit = 0; bit < 31; ++bit, data >>= 1)
    if (data & 1)
      result ^= table[bit];
  out[threadIdx.x] = result;
}

// 100 iterations of more than four instructions are too long for every kernel.
// ORIGINAL-LABEL: .entry _Z6longer
// ORIGINAL-NOT: [{{.*}}+2772]
// ORIGINAL: bra
// ORIGINAL: ret;
// FULL-LABEL: .entry _Z6longer{{.*}}__grain_unrollfull(
// FULL-NOT: bra
// FULL: ld.global.f32 {{.*}}+2772]
// FULL-NOT: bra
// FULL: ret;
__global__ void longer(float *out, const float *in, float x) {
  float sum = 0;
  for (int i = 0; i < 100; ++i) {
    float v = in[i * 7];
    sum = sum * v + x * v * v + v - 3;
    sum = fmaxf(sum, v) * fminf(v, x) + sum * x;
  }
  out[threadIdx.x] = sum;
}

// A limit holds for the grain, too.
// FULL-LABEL: .entry _Z7endless{{.*}}__grain_unrollfull(
// FULL: bra
// FULL: ret;
__global__ void endless(float *out, const float *in) {
  float sum = 0;
  for (int i = 0; i < 100000; ++i)
    sum = sum * in[i] + in[i + threadIdx.x];
  out[threadIdx.x] = sum;
}

// NONE-LABEL: .entry _Z7unknown{{.*}}__grain_unrollnone(
// NONE: .pragma "nounroll";
// NONE: ld.global.f32
// NONE-NOT: ld.global.f32
// NONE: ret;
// FOUR-LABEL: .entry _Z7unknown{{.*}}__grain_unroll4(
// FOUR-COUNT-5: ld.global.f32
// FOUR-NOT: ld.global.f32
// FOUR: ret;
__global__ void unknown(float *out, const float *in, int count) {
  float sum = 0;
  for (int i = 0; i < count; ++i)
    sum = sum * sum + in[i];
  out[threadIdx.x] = sum;
}

// FOUR-LABEL: .entry _Z4told{{.*}}__grain_unroll4(
// FOUR-COUNT-3: ld.global.f32
// FOUR-NOT: ld.global.f32
// FOUR: ret;
__global__ void told(float *out, const float *in, int count) {
  float sum = 0;
#pragma unroll 2
  for (int i = 0; i < count; ++i)
    sum = sum * sum + in[i];
  out[threadIdx.x] = sum;
}

__constant__ const float *rows[80];
__constant__ float weights[80];

// Unrolled, all the addresses would be held around the outer loop: 160 registers.
// ORIGINAL-LABEL: .entry _Z4held
// ORIGINAL: bra
// ORIGINAL-NOT: +{{624|632}}]
// ORIGINAL: bra
// ORIGINAL-NOT: +{{624|632}}]
// ORIGINAL: ret;
// FULL-LABEL: .entry _Z4held{{.*}}__grain_unrollfull(
// FULL: v2.u64 {{.*}}+624]
// FULL: ret;
__global__ void held(float *out, unsigned count) {
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
    float sum = 0;
    for (int row = 0; row < 80; ++row)
      sum += rows[row][i];
    out[i] = sum;
  }
}

// Without an outer loop, nothing is held.
// ORIGINAL-LABEL: .entry _Z7notHeld
// ORIGINAL: ld.const.u64 {{.*}}, [rows+632];
// ORIGINAL-NOT: bra
// ORIGINAL: ret;
__global__ void notHeld(float *out) {
  float sum = 0;
  for (int row = 0; row < 80; ++row)
    sum += rows[row][threadIdx.x];
  out[threadIdx.x] = sum;
}

// 25 weights fit into the registers.
// ORIGINAL-LABEL: .entry _Z8weighted
// ORIGINAL: [weights+96]
// ORIGINAL: ret;
__global__ void weighted(float *out, const float *in, unsigned count) {
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
    float sum = 0;
    for (int tap = 0; tap < 25; ++tap)
      sum += weights[tap] * in[i + tap];
    out[i] = sum;
  }
}
