// The value that a thread of an absent block would have loaded is poison: a
// condition on it stays inside of the one at the edge, and is not joined with it.
// RUN: %regrain cc --targets=cpu --emit=grain --coarsen='*:fuse.x=3' -o %t %s
// RUN: FileCheck %s < %t

// CHECK: at fuse.x=3
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult
// CHECK: %[[FLAG:.*]] = scf.if %[[INSIDE]] -> (i1)
// CHECK: grain.barrier(
// CHECK: scf.if %[[INSIDE]] {
// CHECK-NEXT:   scf.if %[[FLAG]] {
// CHECK-NOT: arith.andi
__global__ void flag(int *out, const int *in) {
  __shared__ int kept[32];
  bool positive = in[threadIdx.x + blockIdx.x * 32] > 0;
  if (positive)
    kept[threadIdx.x] = in[blockIdx.x];
  __syncthreads();
  if (positive)
    out[threadIdx.x + blockIdx.x * 32] = kept[threadIdx.x] + 1;
}
