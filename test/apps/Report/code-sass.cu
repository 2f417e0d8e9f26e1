// Machine code of NVIDIA GPUs is read by the disassembler of a toolkit; here a script stands in for it.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t/nvdisasm/bin %t/cuobjdump/bin %t/none
// RUN: %regrain cc -O3 -lineinfo --targets=sm_90 --coarsen='*:thread.x=2' -c %s -o %t/app.o
// RUN: printf '#!/bin/sh\ncat %S/Inputs/copy.nvdisasm\n' > %t/nvdisasm/bin/nvdisasm
// RUN: printf '#!/bin/sh\ncat %S/Inputs/copy.cuobjdump\n' > %t/cuobjdump/bin/cuobjdump
// RUN: chmod +x %t/nvdisasm/bin/nvdisasm %t/cuobjdump/bin/cuobjdump
// RUN: env CUDA_PATH=%t/nvdisasm %regrain inspect --code=sass --alternative=original %t/app.o | FileCheck %s
// RUN: env CUDA_PATH=%t/cuobjdump PATH=/usr/bin:/bin %regrain inspect --code=sass --alternative=original %t/app.o | FileCheck %s --check-prefix=DUMP

// CHECK: copy(float4*, float4 const*, int): sass for sm_90
// CHECK-NEXT: original
// CHECK-NEXT: /src/copy.cu:2
// CHECK-NEXT: LDC R1, c[0x0][0x28]
// CHECK-NEXT: /src/copy.cu:5
// CHECK-NEXT: LDG.E.128 R4, desc[UR4][R2.64]
// CHECK-NEXT: STG.E.128 desc[UR4][R6.64], R4
// CHECK-NEXT: EXIT
// CHECK: global {{ *}}load {{ *}}128 {{ *}}- {{ *}}LDG.E.128 {{ *}}1
// CHECK-NEXT: global {{ *}}store {{ *}}128 {{ *}}- {{ *}}STG.E.128 {{ *}}1
// CHECK: instructions {{ *}}4
// CHECK: registers {{ *}}{{[0-9]+}}

// A toolkit with cuobjdump alone tells no lines.
// DUMP: cuobjdump tells no lines: install nvdisasm
// DUMP: LDG.E.128 R4, desc[UR4][R2.64]

// What is not there is said in one message.
// RUN: not env CUDA_PATH=%t/nvdisasm %regrain inspect --code=sass --alternative=thread.x=2 %t/app.o 2>&1 | FileCheck %s --check-prefix=LACKS
// LACKS: error: {{.*}} lacks the kernel
// RUN: not %regrain inspect --code=ptx %t/app.o 2>&1 | FileCheck %s --check-prefix=PTX
// PTX: {{^}}regrain inspect: error: {{.*}}app.o has no ptx code, but sm_90 (sass); --targets=ptx or compute_90 adds it{{$}}
// RUN: not %regrain inspect --code=sass --arch=sm_80 %t/app.o 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: app.o has no sass code for sm_80, but sm_90 (sass)
__global__ void copy(float4 *out, const float4 *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i];
}
