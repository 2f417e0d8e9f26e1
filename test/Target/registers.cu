// registers=N bounds the registers of a launched thread: it is a directive in PTX, for any launch bounds
// and -maxrregcount, and an attribute of AMD's kernels and of the functions they call; the CPU refuses it.
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:registers=40' --emit=ptx %s | FileCheck %s --check-prefix=PTX
// RUN: %regrain cc -O3 --targets=ptx -maxrregcount=96 --coarsen='*:registers=40' --emit=ptx %s | FileCheck %s --check-prefix=BOTH
// RUN: %regrain cc -O3 --targets=gfx90a --coarsen='free:block.x=2:remainder,registers=96' --emit=amdgcn %s | FileCheck %s --check-prefix=AMD
// RUN: %regrain cc -O3 --targets=cpu,ptx --coarsen='free:registers=40' -c -o %t.o %s
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=REFUSED

#include "AMDGPU/Inputs/sums.h"

__global__ void free(float *out, const float *in, int n) { addUp<110>(out, in, n); }
__global__ __launch_bounds__(128) void bounded(float *out, const float *in, int n) { addUp<60>(out, in, n); }

// PTX: .entry _Z4free{{.*}}__grain_registers40(
// PTX: .maxnreg 40
// PTX: .entry _Z7bounded{{.*}}__grain_registers40(
// PTX: .maxntid 128
// PTX: .maxnreg 40
// PTX-NOT: .maxnreg

// BOTH-DAG: .maxnreg 96
// BOTH-DAG: .maxnreg 40
// AMD: define {{.*}}__grain_block_x2_remainder_registers96({{.*}} #[[KERNEL:[0-9]+]]
// AMD: define {{.*}}__grain_block_x2_remainder_registers96__rest({{.*}} #[[KERNEL]]
// AMD: attributes #[[KERNEL]] = {{.*}}"amdgpu-num-vgpr"="48"
// REFUSED: cpu {{.*}}registers=40{{.*}}chosen, no code
// REFUSED: ptx {{.*}}registers=40{{.*}}chosen
// REFUSED: refused registers=40 (limits): registers= limits the registers of a GPU thread; the CPU has no such limit
// REFUSED-NEXT: to lift this: leave this piece out of the grain, or this target out of --targets
