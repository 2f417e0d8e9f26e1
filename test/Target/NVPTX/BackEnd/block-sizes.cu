// The size of a block is read in front of the numbers of blocks and threads, so that ptxas has the size in a uniform register.
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc -O0 --targets=compute_70 --emit=ptx %s -o - | FileCheck %s --check-prefix=UNOPTIMISED

// CHECK-LABEL: .entry _Z5indexPiii(
// CHECK: mov.u32 %r{{[0-9]+}}, %ntid.x;
// CHECK-NEXT: mov.u32 %r{{[0-9]+}}, %ntid.y;
// CHECK-NEXT: mov.u32 %r{{[0-9]+}}, %ctaid.x;
// CHECK-NEXT: mov.u32 %r{{[0-9]+}}, %tid.x;
// UNOPTIMISED-LABEL: .entry _Z5indexPiii(
// UNOPTIMISED: %ctaid.x;
// UNOPTIMISED: %ntid.x;
__global__ void index(int *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[y * width + x] = x;
}
// A size that is read in another block of instructions stays there, and the number of blocks stays behind.
// CHECK-LABEL: .entry _Z7stridesPii(
// CHECK-NOT: %ntid
// CHECK: %ctaid.x;
// CHECK: %nctaid.x;
// CHECK: bra
// CHECK: %ntid.x;
__global__ void strides(int *out, int n) {
  if (blockIdx.x * 7 + gridDim.x < n)
    out[blockIdx.x] = blockDim.x;
}
