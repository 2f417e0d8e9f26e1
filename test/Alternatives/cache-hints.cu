// Streaming accesses are proposed for data that is accessed once, and prefetches where the addresses of
// neighbouring threads are apart; for the targets that have them.
// RUN: %regrain explain --targets=compute_80 --alternatives=24 -DONLY -DONLY_SCALE %s | FileCheck %s --check-prefix=SCALE --implicit-check-not=prefetch
// RUN: %regrain explain --targets=compute_80 --alternatives=24 -DONLY -DONLY_GATHER %s | FileCheck %s --check-prefix=GATHER
// RUN: %regrain explain --targets=compute_80 --alternatives=24 -DONLY -DONLY_AVERAGE %s | FileCheck %s --check-prefix=AVERAGE --implicit-check-not=prefetch --implicit-check-not=loads=
// RUN: %regrain explain --targets=ptx --alternatives=24 -DONLY -DONLY_GATHER %s | FileCheck %s --check-prefix=OLD --implicit-check-not=prefetch
// RUN: %regrain cc --emit=grain --targets=cpu --alternatives=24 %s 2>/dev/null | grep '^// ' | FileCheck %s --check-prefix=CPU --implicit-check-not=prefetch --implicit-check-not=loads= --implicit-check-not=stores=

// SCALE-DAG: loads=streaming
// SCALE-DAG: stores=nontemporal
#if !defined(ONLY) || defined(ONLY_SCALE)
extern "C" __global__ void scale(float *out, const float *in, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = factor * in[i];
}
#endif

// GATHER-DAG: loads=streaming
// GATHER-DAG: prefetch=128
// GATHER-DAG: prefetch=256
// OLD: loads=streaming
// CPU: gather
#if !defined(ONLY) || defined(ONLY_GATHER)
extern "C" __global__ void gather(float *out, const float *in, const int *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[from[i]];
}
#endif

// Each element is loaded by three threads.
// AVERAGE: stores=nontemporal
#if !defined(ONLY) || defined(ONLY_AVERAGE)
extern "C" __global__ void average(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (i < n - 1)
    out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
}
#endif
