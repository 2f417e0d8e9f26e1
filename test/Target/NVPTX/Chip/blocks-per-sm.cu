// blocks-per-sm=N promises ptxas so many resident blocks, in place of what the program promises. ptxas needs the
// largest block for that: a kernel that does not state it is refused, and so are more blocks than a chip holds.
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:blocks-per-sm=3' --coarsen='free*:blocks-per-sm=3,bound=128' --emit=ptx %s | FileCheck %s --check-prefix=PTX
// RUN: %regrain cc -O3 --targets=cpu,ptx --coarsen='free*:blocks-per-sm=3' -c %s -o %t.o
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=REFUSED
// RUN: not %regrain cc -O3 --targets=ptx --coarsen='*:registers=32,blocks-per-sm=3' -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=BOTH

#include "../../AMDGPU/Inputs/sums.h"

// PTX: .entry _Z4free{{.*}}__grain_bound128_blocksmpermsm3(
// PTX: .maxntid 128
// PTX: .minnctapersm 3
// PTX: .entry _Z7bounded{{.*}}__grain_blocksmpermsm3(
// PTX: .maxntid 256
// PTX-NEXT: .minnctapersm 3
// PTX-NOT: .minnctapersm
// REFUSED: refused blocks-per-sm=3 (limits): blocks-per-sm= bounds the registers of NVIDIA's code
// REFUSED-NEXT: to lift this: leave this piece out of the grain, or this target out of --targets
// REFUSED: refused blocks-per-sm=3 (ptx): blocks-per-sm= needs the largest block of the launches, which this kernel does not state: write bound= or for.block= beside it, or __launch_bounds__ in the program
// BOTH: registers= and blocks-per-sm= cannot be combined: each of them bounds the registers
__global__ void free(float *out, const float *in, int n) { addUp<110>(out, in, n); }
__global__ __launch_bounds__(256, 2) void bounded(float *out, const float *in, int n) { addUp<60>(out, in, n); }
