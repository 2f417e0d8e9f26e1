// Without a limit of registers, ptxas puts loads of an unrolled loop behind the first use of others. With one, more of them
// are under way together, and the code needs no more registers: so the original has it. What bounds its registers itself, or
// gains nothing, is left as it is, and so are grains. The log has the kernels of each text that ptxas is given.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t/bin
// RUN: printf '#!/bin/sh\nfor last; do :; done\ngrep -oE "entry [a-z]+|.maxnreg [0-9]+" "$last" >> %t/log\necho end >> %t/log\nexec %toolkit/bin/ptxas "$@"\n' > %t/bin/ptxas
// RUN: chmod +x %t/bin/ptxas
// RUN: env CUDA_PATH=%t %regrain cc -O3 --use_fast_math --targets=sm_90 -c -o %t.o %s && FileCheck %s < %t/log
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=CODE
// RUN: rm %t/log && env CUDA_PATH=%t %regrain cc -O3 --use_fast_math --targets=sm_90 --coarsen='waits:thread.x=2' -c -o %t.o %s
// RUN: grep -c maxnreg %t/log | FileCheck %s --check-prefix=GRAIN
// RUN: rm %t/log && env CUDA_PATH=%t %regrain cc -O3 --use_fast_math --targets=sm_90 -Xptxas -O3 -c -o %t.o %s
// RUN: not grep maxnreg %t/log
// RUN: rm %t/log && env CUDA_PATH=%t %regrain cc -O3 --use_fast_math --targets=sm_90a -DASKS -c -o %t.o %s
// RUN: not grep maxnreg %t/log

// All kernels, as all have several loads in a loop; the same with limits; and what was chosen.
// CHECK: entry waits
// CHECK-NEXT: entry states
// CHECK-NEXT: entry gains
// CHECK-NEXT: end
// CHECK-NEXT: entry waits
// CHECK-NEXT: maxnreg 40
// CHECK-NEXT: entry states
// CHECK-NEXT: entry gains
// CHECK-NEXT: maxnreg
// CHECK-NEXT: end
// CHECK-NEXT: entry waits
// CHECK-NEXT: maxnreg 40
// CHECK-NEXT: entry states
// CHECK-NEXT: entry gains
// CHECK-NEXT: end
// CHECK-NOT: entry
// CODE: waits
// CODE: original {{ *3[0-2] }}
// GRAIN: {{^3$}}
__device__ __forceinline__ void interpolate(const float *__restrict__ x, const float *__restrict__ y,
                                            const float *__restrict__ z, int n, float *out) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0, weights = 0, px = out[id], py = out[id + 4096], power = out[id + 8192];
  for (int j = 0; j < n; ++j) {
    float dx = px - x[j], dy = py - y[j];
    float weight = 1 / powf(dx * dx + dy * dy, power);
    weights += weight;
    sum += weight * z[j];
  }
  out[id] = sum / weights;
}

extern "C" __global__ void waits(const float *__restrict__ x, const float *__restrict__ y,
                                 const float *__restrict__ z, int n, float *out) {
  interpolate(x, y, z, n, out);
}

extern "C" __global__ void __launch_bounds__(256, 4) states(const float *__restrict__ x,
                                                             const float *__restrict__ y,
                                                             const float *__restrict__ z, int n, float *out) {
  interpolate(x, y, z, n, out);
}

extern "C" __global__ void gains(const float *__restrict__ x, int n, float *out) {
  float sum = 0;
  for (int j = 0; j < n; ++j)
    sum += x[j];
  out[threadIdx.x] = sum;
}

// Without a limit, ptxas ignores this; with one, the warp would wait for the registers.
#ifdef ASKS
extern "C" __global__ void asks() { asm volatile("setmaxnreg.inc.sync.aligned.u32 80;"); }
#endif
