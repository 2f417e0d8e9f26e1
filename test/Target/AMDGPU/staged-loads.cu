// On AMD GPUs a tile is filled by loads and stores, and read from the memory of the group.
// RUN: %regrain cc -O3 --targets=gfx90a --coarsen='*:staging=shared,for.block=256x1x1' --emit=amdgcn %s | FileCheck %s

// CHECK: addrspace(3) global [258 x i32]
// CHECK: define {{.*}}amdgpu_kernel void @line__grain_
// CHECK: load i32, ptr addrspace(1)
// CHECK: store i32 {{.*}}, ptr addrspace(3)
// CHECK: call void @llvm.amdgcn.s.barrier()
// CHECK: load float, ptr addrspace(3)
extern "C" __global__ void line(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    b[i] = a[i - 1] + a[i] * 2.0f + a[i + 1];
}
