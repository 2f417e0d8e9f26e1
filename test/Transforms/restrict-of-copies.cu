// `__restrict__` concerns one thread of the program. If threads meet, a thread
// that runs several of them has it on none of the kernel's pointers; if threads
// never meet, it stays, and so it does in fused blocks.
//
// RUN: %regrain cc --targets=ptx --emit=grain --coarsen='*:control' %s -o %t.control
// RUN: FileCheck %s < %t.control
// RUN: %regrain cc --targets=ptx --emit=grain --coarsen='*:fuse.x=2' %s -o %t.fused
// RUN: FileCheck %s < %t.fused
// RUN: %regrain cc --targets=ptx --emit=grain --coarsen='*:block.x=2' %s -o %t.blocks
// RUN: FileCheck %s --check-prefix=MANY < %t.blocks
// RUN: %regrain cc --targets=ptx --emit=grain --coarsen='*:thread.x=2' %s -o %t.threads
// RUN: FileCheck %s --check-prefix=MANY < %t.threads
// RUN: %regrain cc --targets=ptx --emit=ptx --coarsen='*:thread.x=2' %s -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx

// CHECK-LABEL: grain.kernel @shifts
// CHECK-SAME: llvm.noalias
// MANY-LABEL: grain.kernel @shifts
// MANY-SAME: llvm.noalias
// MANY-LABEL: grain.kernel @shifts
// MANY-NOT: noalias
// PTX: .entry shifts(
// PTX: ld.global.nc
// PTX: .entry shifts__grain_thread_x2(
// PTX-NOT: ld.global.nc
// PTX: .entry
extern "C" __global__ void shifts(unsigned *__restrict__ to, const unsigned *__restrict__ from) {
  unsigned x = from[(threadIdx.x + 1) % blockDim.x];
  __syncthreads();
  to[threadIdx.x] = x;
}

// MANY-LABEL: grain.kernel @alone
// MANY-SAME: llvm.noalias
// MANY-LABEL: grain.kernel @alone
// MANY-SAME: llvm.noalias
extern "C" __global__ void alone(unsigned *__restrict__ to, const unsigned *__restrict__ from) {
  to[threadIdx.x] = from[(threadIdx.x + 1) % blockDim.x];
}
