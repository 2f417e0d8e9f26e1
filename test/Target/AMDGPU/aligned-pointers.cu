// What is known of pointers and strides reaches AMD's code generator, and the guard is in the image.
// RUN: %regrain cc -O3 --targets=gfx90a --coarsen='rows:thread.x=4:contiguous,for.arg2=4n,for.pointers=16' --emit=amdgcn %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=gfx90a --coarsen='rows:thread.x=4:contiguous,for.arg2=4n,for.pointers=16' --emit=hsaco -o %t.hsaco %s
// RUN: llvm-objdump -d %t.hsaco | FileCheck %s --check-prefix=CODE
// RUN: %regrain cc -O3 --targets=gfx90a --coarsen='rows:thread.x=4:contiguous,for.arg2=4n,for.pointers=16' -c -o %t.o %s
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=GUARD
// Unaligned accesses of 16 bytes are possible there, so nothing is proposed.
// RUN: %regrain explain --targets=gfx90a --alternatives=40 %s | FileCheck %s --check-prefix=SPACE

// CHECK: define {{.*}} @rows__grain_thread_x4_contiguous_for_arg2_4n_for_pointers16(
// CHECK-SAME: align 16
// CODE: <rows__grain_
// CODE: global_load_dwordx4
// CODE: global_store_dwordx4
// GUARD: thread.x=4:contiguous,for.arg2=4n,for.pointers=16{{.*}}chosen
// SPACE: :contiguous
// SPACE-NOT: for.pointers
extern "C" __global__ void rows(const float *a, float *c, int stride) {
  int i = blockIdx.y * stride + blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + 1;
}
