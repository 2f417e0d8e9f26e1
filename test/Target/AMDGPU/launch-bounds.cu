// bound=N is the largest work-group of AMD's code: with 1024 threads a thread has 128 registers, with 256
// it has 512. A kernel that may need more than 128 gets a proposal with the bound of its launches, or 256.
// RUN: %regrain cc -O3 --targets=gfx90a --coarsen='*160*:bound=256' --emit=hsaco -o %t.bound %s
// RUN: llvm-readelf --notes %t.bound | FileCheck %s --check-prefix=BOUND
// RUN: %regrain cc -O3 --targets=gfx90a --coarsen='*160*:control' --emit=hsaco -o %t.none %s
// RUN: llvm-readelf --notes %t.none | FileCheck %s --check-prefix=NONE
// RUN: %regrain explain --targets=gfx90a --alternatives=2 %s | FileCheck %s --check-prefixes=SPACE,BOUNDED
// RUN: %regrain explain --targets=ptx --alternatives=2 %s | FileCheck %s --check-prefix=SPACE --implicit-check-not=bound=

#include "Inputs/sums.h"

template <int count> __global__ void sums(float *out, const float *in, int n) { addUp<count>(out, in, n); }

void launch(float *out, const float *in, int n, int block) {
  sums<160><<<8, block>>>(out, in, n);
  sums<128><<<8, 96>>>(out, in, n);
}

// BOUND: .max_flat_workgroup_size: 256
// BOUND: .name: {{.*}}sumsILi160E{{.*}}grain_bound256
// BOUND: .vgpr_count: {{[2-5][0-9][0-9]$}}
// BOUND: .vgpr_spill_count: 0
// NONE: .max_flat_workgroup_size: 1024
// NONE: .name: {{.*}}sumsILi160E{{.*}}grain_control
// NONE: .vgpr_count: 128
// NONE: .vgpr_spill_count: {{[1-9]}}
// SPACE: sums<160>
// BOUNDED: bound=256
// SPACE: sums<128>
// BOUNDED: bound=96
