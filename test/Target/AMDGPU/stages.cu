// --emit shows the code of the first target with such a stage; if none has it, the message names the targets that do.
// RUN: %regrain cc --targets=gfx90a --emit=asm %s | FileCheck %s --check-prefixes=ASM,NONE
// RUN: %regrain cc --targets=sm_90,gfx90a,cpu --emit=asm %s | FileCheck %s --check-prefix=ASM
// RUN: %regrain cc --targets=gfx90a --coarsen='*:block.x=2' --emit=asm %s | FileCheck %s --check-prefixes=ASM,GRAIN
// RUN: %regrain cc --targets=cpu,gfx90a --emit=asm %s | FileCheck %s --check-prefix=CPU
// RUN: %regrain cc --targets=cpu,gfx90a --emit=amdgcn %s | FileCheck %s --check-prefix=IR
// RUN: not %regrain cc --targets=ptx,sm_90 --emit=asm %s 2>&1 | FileCheck %s --check-prefix=NO-ASM
// RUN: not %regrain cc --targets=gfx90a,cpu --emit=ptx %s 2>&1 | FileCheck %s --check-prefix=NO-PTX
// RUN: not %regrain cc --targets=gfx90a --emit=cubin -o %t.cubin %s 2>&1 | FileCheck %s --check-prefix=NO-CUBIN
// RUN: not %regrain cc --emit=amdgcn %s 2>&1 | FileCheck %s --check-prefix=NO-AMDGCN
// RUN: not %regrain cc --targets=cpu,ptx --emit=hsaco -o %t.hsaco %s 2>&1 | FileCheck %s --check-prefix=NO-HSACO
// RUN: test ! -e %t.cubin && test ! -e %t.hsaco

__global__ void scale(float *x, float f) { x[threadIdx.x] *= f; }

// ASM: // scale(float*, float) at original
// ASM: .amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
// ASM: v_mul_f32
// NONE-NOT: block.x
// GRAIN: // scale(float*, float) at block.x=2
// CPU-NOT: amdgcn
// CPU: mulss
// IR: target triple = "amdgcn-amd-amdhsa"
// NO-ASM: error: --emit=asm needs a target such as cpu or gfx90a; named are ptx, sm_90
// NO-PTX: error: --emit=ptx needs a target such as ptx or compute_90; named are gfx90a, cpu
// NO-CUBIN: error: --emit=cubin needs a target such as sm_90; named are gfx90a
// NO-AMDGCN: error: --emit=amdgcn needs a target such as gfx90a; named are cpu, ptx
// NO-HSACO: error: --emit=hsaco needs a target such as gfx90a; named are cpu, ptx
