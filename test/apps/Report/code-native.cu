// Machine code of AMD GPUs and of the CPU is disassembled by LLVM.
// RUN: %regrain cc -O3 -lineinfo --targets=gfx90a,gfx1100,cpu --coarsen='*:block.x=2' -c %s -o %t.o
// RUN: %regrain inspect --code=amdgcn %t.o | FileCheck %s --check-prefix=GFX9
// RUN: %regrain inspect --code=amdgcn --arch=gfx1100 %t.o | FileCheck %s --check-prefix=GFX11
// RUN: %regrain inspect --code=x86 %t.o | FileCheck %s --check-prefix=X86

// GFX9: swap(float4*, int): amdgcn for gfx90a
// GFX9-NEXT: original {{ *}}block.x=2
// GFX9: code-native.cu:{{[0-9]+}}: {{.*}}v[i]
// GFX9: global {{ *}}load {{ *}}128 {{ *}}- {{ *}}global_load_dwordx4
// GFX9: shared {{ *}}load {{ *}}128 {{ *}}- {{ *}}ds_read_b128
// GFX9: barriers {{ *}}1
// GFX11: amdgcn for gfx1100
// GFX11: global {{ *}}load {{ *}}128 {{ *}}- {{ *}}global_load_b128
// GFX11: shared {{ *}}load {{ *}}128 {{ *}}- {{ *}}ds_load_b128
// X86: swap(float4*, int): x86 for x86-64
// X86: instructions
__global__ void swap(float4 *v, int n) {
  __shared__ float4 all[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  all[threadIdx.x] = v[i];
  __syncthreads();
  v[i] = all[(threadIdx.x + n) & 255];
}
