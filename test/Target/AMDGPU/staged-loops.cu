// On AMD GPUs the tiles of loops are filled by loads and stores, and read from the memory of the group.
// RUN: %regrain cc -O3 --targets=gfx90a --coarsen='*:shape=16x16x1,staging=loops' --emit=amdgcn %s | FileCheck %s

// CHECK: addrspace(3) global [640 x i32]
// CHECK: define {{.*}}amdgpu_kernel void @product__grain_
// CHECK: load i32, ptr addrspace(1)
// CHECK: store i32 {{.*}}, ptr addrspace(3)
// CHECK: call void @llvm.amdgcn.s.barrier()
// CHECK: load float, ptr addrspace(3)
extern "C" __global__ void product(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b,
                                   int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m)
    return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}
