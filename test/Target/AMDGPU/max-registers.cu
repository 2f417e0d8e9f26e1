// -maxrregcount bounds the vector registers, including accumulation registers: code that needs
// more spills. It yields to launch bounds, and its least value allows all waves to be resident.
// RUN: %regrain cc -c -O3 --targets=gfx90a,gfx1100 -maxrregcount=96 -o %t.96.o %s
// RUN: %regrain inspect %t.96.o | FileCheck %s --check-prefix=INSPECT
// RUN: %regrain cc -O3 --targets=gfx90a -maxrregcount=96 --emit=hsaco -o %t.96 %s
// RUN: llvm-readelf --notes %t.96 | FileCheck %s --check-prefixes=BOUND,NINETY-SIX
// RUN: %regrain cc -O3 --targets=gfx90a -maxrregcount=1 --emit=hsaco -o %t.1 %s
// RUN: llvm-readelf --notes %t.1 | FileCheck %s --check-prefixes=BOUND,LEAST
// RUN: %regrain cc -O3 --targets=gfx1100 -maxrregcount=1 --emit=hsaco -o %t.gfx1100 %s
// RUN: llvm-readelf --notes %t.gfx1100 | FileCheck %s --check-prefix=GFX1100
// RUN: %regrain cc -O3 --targets=gfx90a --emit=hsaco -o %t.none %s
// RUN: llvm-readelf --notes %t.none | FileCheck %s --check-prefix=NONE
// RUN: %regrain cc -O3 --targets=gfx90a -maxrregcount=96 --coarsen='free:block.x=2' --emit=amdgcn %s | FileCheck %s --check-prefix=GRAIN

#include "Inputs/sums.h"

__noinline__ __device__ void called(float *out, const float *in, int n) { addUp<72>(out, in, n); }

__global__ void bounded(float *out, const float *in, int n) __launch_bounds__(256);
__global__ void bounded(float *out, const float *in, int n) { addUp<120>(out, in, n); }
__global__ void calls(float *out, const float *in, int n) { called(out, in, n); }
__global__ void free(float *out, const float *in, int n) { addUp<110>(out, in, n); }

// INSPECT: bounded
// INSPECT: gfx90a original 416 - 0
// INSPECT: gfx1100 original 256
// INSPECT: calls
// INSPECT: gfx90a original 96
// INSPECT: gfx1100 original 96
// INSPECT: free
// INSPECT: gfx90a original 96 {{.*}} 62%@256 {{.*}} 0/{{[1-9][0-9]*}} 5
// INSPECT: gfx1100 original 96 {{.*}} 100%@256 {{.*}} 0/{{[1-9][0-9]*}} 16
// BOUND: .name: {{.*}}bounded
// BOUND: .vgpr_count: 416
// BOUND: .vgpr_spill_count: 0
// BOUND: .name: {{.*}}calls
// NINETY-SIX: .vgpr_count: 96
// LEAST: .vgpr_count: 64
// BOUND: .name: {{.*}}free
// NINETY-SIX: .vgpr_count: 96
// LEAST: .vgpr_count: 64
// BOUND: .vgpr_spill_count: {{[1-9]}}
// GFX1100: .name: {{.*}}free
// GFX1100: .vgpr_count: 96
// NONE: .name: {{.*}}calls
// NONE: .vgpr_count: 128
// NONE: .name: {{.*}}free
// NONE: .vgpr_count: 128
// GRAIN: define {{.*}} @{{.*}}free{{.*}} #[[FREE:[0-9]+]]
// GRAIN: attributes #[[FREE]] = {{.*}}"amdgpu-num-vgpr"="48"
