// Products of matrices in inline PTX are those of the matrix cores, where these compute as PTX requires: those of gfx90a
// take subnormal halves for zeros. A wave of which only a part has come has the products one by one.
//
// REQUIRES: rocm-device-libs
// RUN: %regrain cc -O3 --targets=gfx942 --emit=hsaco -o %t.gfx942 %s
// RUN: llvm-objdump -d %t.gfx942 | FileCheck %s --check-prefixes=CHECK,GFX942
// RUN: %regrain cc -O3 --targets=gfx90a --emit=hsaco -o %t.gfx90a %s
// RUN: llvm-objdump -d %t.gfx90a | FileCheck %s --check-prefixes=CHECK,PLAIN,CODES
// RUN: %regrain cc -O0 -G --targets=gfx1100 --emit=hsaco -o %t.debug %s
// RUN: llvm-objdump -d %t.debug | FileCheck %s --check-prefixes=DEBUG --implicit-check-not=v_mfma
// DEBUG: <_Z5codesPfPKj>:
// RUN: %regrain cc -O3 --targets=gfx942 --coarsen='ask:block.x=2' --emit=amdgcn -o - %s | FileCheck %s --check-prefix=GRAIN
// GRAIN: amdgpu_kernel void @{{.*}}ask{{.*}}__grain_block_x2
#include <regrain/matrix_cores.h>

#define PRODUCT(NAME, TYPES)                                                                                         \
  __global__ void NAME(float *d, const unsigned *a) {                                                                \
    float *s = d + 4 * threadIdx.x;                                                                                  \
    unsigned w[6];                                                                                                   \
    for (int i = 0; i < 6; ++i)                                                                                      \
      w[i] = a[64 * i + threadIdx.x];                                                                                \
    asm("mma.sync.aligned." TYPES " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                 \
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])                                                             \
        : "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3]), "r"(w[4]), "r"(w[5]));                                         \
  }

// Each of the two warps of a wave has an instruction.
// CHECK: <_Z6halvesPfPKj>:
// GFX942: ds_bpermute_b32
// GFX942-COUNT-2: v_mfma_f32_16x16x16_f16
// GFX942-NOT: v_mfma
// PLAIN-NOT: v_mfma
// CHECK: s_endpgm
PRODUCT(halves, "m16n8k16.row.col.f32.f16.f16.f32")

// CHECK: <_Z7bfloatsPfPKj>:
// GFX942-COUNT-2: v_mfma_f32_16x16x16_bf16
// GFX942-NOT: v_mfma
// PLAIN-NOT: v_mfma
// CHECK: s_endpgm
PRODUCT(bfloats, "m16n8k16.row.col.f32.bf16.bf16.f32")

// Codes of 8 bits are converted to halves, of which none is subnormal.
// CHECK: <_Z5codesPfPKj>:
// GFX942-COUNT-4: v_mfma_f32_16x16x16_f16
// GFX942-NOT: v_mfma
// CODES-COUNT-4: v_mfma_f32_16x16x16f16
// CODES-NOT: v_mfma
// CHECK: s_endpgm
PRODUCT(codes, "m16n8k32.row.col.f32.e4m3.e4m3.f32")

// The chip is known when code is generated.
// CHECK: <_Z3askPj>:
// GFX942: v_mov_b32_e32 {{.*}}, 5
// CODES: v_mov_b32_e32 {{.*}}, 5
// CHECK: s_endpgm
__global__ void ask(unsigned *answer) {
#ifdef __CUDA_ARCH__
  *answer = regrain::hasMatrixCores() ? 5 : 6;
#endif
}
