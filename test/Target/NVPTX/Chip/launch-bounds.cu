// bound=N is a launch bound of the launched block, so that it is not scaled, and it is no wider than the kernel's own.
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:bound=256' --emit=ptx %s | FileCheck %s --check-prefixes=BOUND,BOTH
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:thread.x=2,bound=256' --emit=ptx %s | FileCheck %s --check-prefixes=THREAD,BOTH
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:bound=256,for.block=64x2' --emit=ptx %s | FileCheck %s --check-prefix=KNOWN
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:block.x=2:remainder,bound=96' --emit=ptx %s | FileCheck %s --check-prefix=REST

__global__ void plain(float *data) {
  if (threadIdx.x < 256)
    data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

__global__ __launch_bounds__(512) void wide(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

__global__ __launch_bounds__(128, 4) void narrow(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

// BOUND: .entry _Z5plainPf__grain_bound256
// THREAD: .entry _Z5plainPf__grain_thread_x2_bound256
// BOTH: .maxntid 256
// Its limit of threads decides the condition.
// BOUND-NOT: setp
// BOUND: .entry _Z4widePf__grain
// BOUND: .maxntid 256
// THREAD: .entry _Z4widePf__grain
// THREAD: .maxntid 256
// BOUND: .entry _Z6narrowPf__grain
// BOUND: .maxntid 128
// BOUND: .minnctapersm 4
// THREAD: .entry _Z6narrowPf__grain
// THREAD: .maxntid 64
// THREAD: .minnctapersm 4

// KNOWN: .entry _Z5plainPf__grain
// KNOWN: .reqntid 64, 2, 1
// KNOWN-NOT: .maxntid 256
// REST: .entry _Z5plainPf__grain_block_x2_remainder_bound96
// REST: .maxntid 96
// REST: .entry _Z5plainPf__grain_block_x2_remainder_bound96__rest
// REST: .maxntid 96
