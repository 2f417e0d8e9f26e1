// REQUIRES: ptxas
// Places of the budget go to the numbers of registers at which one more block of the original is resident. Without an
// assembler, the registers are not known, and the space has all places.
// RUN: %regrain cc -O3 --targets=sm_90 --alternatives=8 -c %s -o %t.o
// RUN: %regrain inspect --candidates %t.o | FileCheck %s
// RUN: %regrain cc -O3 --targets=ptx --alternatives=4 -c %s -o %t.ptx.o
// RUN: %regrain inspect --candidates %t.ptx.o | FileCheck %s --check-prefix=TEXT

#include "../Target/AMDGPU/Inputs/sums.h"

// TEXT-NOT: candidate registers=
// TEXT-NOT: candidate blocks-per-sm=

// Four blocks of 256 threads take at most 64 registers. Large code before the grain leaves it its place; it may spill.
// CHECK-LABEL: free(float*, float const*, int)
// CHECK: candidate registers=64: kept
__global__ void free(float *out, const float *in, int n) { addUp<60>(out, in, n); }

// A kernel with launch bounds is told the blocks.
// CHECK-LABEL: bounded(float*, float const*, int)
// CHECK: candidate blocks-per-sm=4: kept
__global__ __launch_bounds__(256) void bounded(float *out, const float *in, int n) { addUp<60>(out, in, n); }

// Launch bounds that promise so many blocks that the kernel spills: fewer blocks leave a thread more registers.
// CHECK-LABEL: squeezed(float*, float const*, int)
// CHECK: candidate blocks-per-sm=3: kept
// CHECK: candidate blocks-per-sm=1: kept
__global__ __launch_bounds__(256, 4) void squeezed(float *out, const float *in, int n) { addUp<60>(out, in, n); }

// All threads are resident at the original's registers.
// CHECK-LABEL: small(float*, float const*, int)
// CHECK-NOT: candidate registers=
__global__ void small(float *out, const float *in, int n) { out[threadIdx.x] = in[n]; }
