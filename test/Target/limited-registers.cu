// __maxnreg__ bounds the registers in code for NVIDIA's GPUs, for any -maxrregcount. registers= of a grain takes its
// place, other grains keep it, and blocks-per-sm= would contradict it.
// RUN: %regrain cc -O3 --targets=ptx -maxrregcount=96 --coarsen='limited:registers=40' --coarsen='limited:block.x=2' --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=ptx -c -o %t.o --coarsen='limited:blocks-per-sm=2,bound=128' %s
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=REFUSED
// RUN: not %regrain cc --targets=ptx -DWRONG -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=WRONG
#include "AMDGPU/Inputs/sums.h"

// CHECK: .entry _Z7limited{{[^_]*}}(
// CHECK: .maxnreg 48
// CHECK: .entry _Z9templatedILi56E
// CHECK: .maxnreg 56
// CHECK: .entry _Z4free
// CHECK: .maxnreg 96
// CHECK-DAG: .maxnreg 40
// CHECK-DAG: .maxnreg 48
// CHECK-NOT: .maxnreg
// REFUSED: refused bound=128,blocks-per-sm=2 (ptx): blocks-per-sm= and the program's __maxnreg__(48) both bound the registers: registers= takes the place of the latter
__global__ void __maxnreg__(48) limited(float *out, const float *in, int n) { addUp<60>(out, in, n); }
template <int Most> __global__ void __maxnreg__(Most) templated(float *out) { out[threadIdx.x] += Most; }
template __global__ void templated<56>(float *out);
__global__ void free(float *out, const float *in, int n) { addUp<60>(out, in, n); }

#ifdef WRONG
// WRONG: limited-registers.cu:[[@LINE+1]]: error: 'both(float*)': __maxnreg__ and __launch_bounds__ cannot both be given to a kernel
__global__ void __launch_bounds__(64) __maxnreg__(32) both(float *out) { *out = 1; }
// WRONG: limited-registers.cu:[[@LINE+1]]: error: 'none(float*)': __maxnreg__ needs a positive number of registers, not 0
__global__ void __maxnreg__(0) none(float *out) { *out = 1; }
// WRONG: limited-registers.cu:[[@LINE+1]]: error: 'function(float*)': __maxnreg__ is only allowed for a __global__ function
__device__ void __maxnreg__(32) function(float *out) { *out = 1; }
__global__ void calls(float *out) { function(out); }
#endif
