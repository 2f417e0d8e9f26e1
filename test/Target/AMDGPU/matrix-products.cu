// Products of matrices in inline PTX, as NVIDIA's GPUs do them and as they are lowered: by matrix cores, for whole waves
// and for warps that are alone in theirs, and one by one.
// RUN: %device-ir %s -o %t.ll
// RUN: regrain-amdgpu-test %t.ll --chip=gfx942,gfx90a,gfx1100 --block=128 --n=512 | FileCheck %s
// RUN: regrain-amdgpu-test %t.ll --chip=gfx942 --block=96 --grid=2 --n=512 -O0 | FileCheck %s --check-prefix=GFX942
// CHECK-COUNT-12: agrees
// GFX942-COUNT-4: agrees

__device__ float number(int x) { return float(x & 15) - 7; }

// Halves, bf16 and e4m3 of few digits, so that each order of a sum has the same result.
__device__ unsigned halves(int x) { return (x & 0x03000300) + 0x38003c00 | (x << 3 & 0x80008000); }
__device__ unsigned bfloats(int x) { return (x & 0x00600060) + 0x3f803f00 | (x << 3 & 0x80008000); }
// Some codes are NaN.
__device__ unsigned codes(int x) {
  unsigned word = (x & 0x07030703) + 0x38303038 | (x << 3 & 0x80808080);
  return x & 0xf8 ? word : word | 0x7f00;
}
__device__ int scaled(float x) { return x == x ? int(x * 64) : 77; }

#define PRODUCT(NAME, WORD, TYPES, CONDITION)                                                                        \
  __global__ void NAME(int *out, const int *in, int n) {                                                             \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                   \
    float s[4];                                                                                                      \
    unsigned w[6];                                                                                                   \
    for (int j = 0; j < 4; ++j)                                                                                      \
      s[j] = number(in[(i + j) % n]);                                                                                \
    for (int j = 0; j < 6; ++j)                                                                                      \
      w[j] = WORD(in[(i * 3 + j * 7) % n] * 0x9e3779b9u);                                                            \
    if (CONDITION)                                                                                                   \
      asm("mma.sync.aligned." TYPES " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"               \
          : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])                                                           \
          : "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3]), "r"(w[4]), "r"(w[5]));                                       \
    out[i] = scaled(s[0]) + 3 * scaled(s[1]) + 5 * scaled(s[2]) + 7 * scaled(s[3]);                                  \
  }
PRODUCT(ofHalves, halves, "m16n8k16.row.col.f32.f16.f16.f32", true)
PRODUCT(ofBFloats, bfloats, "m16n8k16.row.col.f32.bf16.bf16.f32", true)
PRODUCT(ofCodes, codes, "m16n8k32.row.col.f32.e4m3.e4m3.f32", true)
PRODUCT(ofOddWarps, halves, "m16n8k16.row.col.f32.f16.f16.f32", threadIdx.x / 32 % 2)
