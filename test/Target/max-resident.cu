// max-resident=N needs no code: the runtime launches that of the grain without it, which is compiled as well. The CPU
// refuses it, and so does a kernel that reads how much shared memory its launch has.
// RUN: %regrain cc -O3 --targets=cpu,ptx --coarsen='*:max-resident=4' --coarsen='plain*:block.x=2,max-resident=3' -c %s -o %t.o
// RUN: %regrain inspect %t.o | FileCheck %s
// RUN: %regrain cc -O3 --targets=ptx --coarsen='plain*:block.x=2,max-resident=3' --emit=ptx %s | FileCheck %s --check-prefix=PTX
// RUN: not %regrain cc -O3 --targets=ptx --coarsen='plain*:blocks-per-sm=4,max-resident=3' -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=BOTH

__global__ void plain(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * in[i];
}

__global__ void reads(unsigned *out) {
  unsigned bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  *out = bytes;
}

// CHECK-LABEL: plain(
// CHECK: cpu {{.*}} block.x=2,max-resident=3 {{.*}} chosen, no code
// CHECK: ptx {{.*}} max-resident=4 {{.*}} the code of original
// CHECK: ptx {{.*}} block.x=2,max-resident=3 {{.*}} chosen, the code of block.x=2
// CHECK: refused max-resident=4 (limits): max-resident= limits how many blocks a GPU's multiprocessor holds; the CPU has none
// CHECK-LABEL: reads(
// CHECK: ptx {{.*}} original {{.*}} chosen
// CHECK: ptx {{.*}} max-resident=4 {{.*}} no code
// CHECK: refused max-resident=4 (ptx): the kernel reads how much shared memory its launch has
// CHECK-NEXT: to lift this: leave out max-resident=, or pass the size to the kernel as an argument
// PTX-DAG: .entry _Z5plainPfPKfi(
// PTX-DAG: .entry _Z5readsPj(
// PTX: .entry _Z5plainPfPKfi__grain_block_x2(
// PTX-NOT: .entry
// BOTH: blocks-per-sm= spends registers on more resident blocks than max-resident= allows
