// Block factors with common arrays are proposed first, for kernels whose blocks accumulate, those that join most blocks
// before others. If that is not possible, one of them tells why.
// RUN: %regrain explain --targets=compute_80 --alternatives=12 %s | FileCheck %s
// RUN: %regrain explain --targets=gfx90a --alternatives=12 %s | FileCheck %s --check-prefix=OTHER
// RUN: %regrain explain --targets=cpu --alternatives=12 %s | FileCheck %s --check-prefix=OTHER
// RUN: %regrain cc --targets=ptx --coarsen='histogram*:block.x=4,thread.x=4:contiguous,shared=common,for.pointers=16' --emit=ptx -o - %s | sed -n '/__grain/,$p' | FileCheck %s --check-prefix=PTX

// CHECK-LABEL: histogram(
// CHECK: kept: block.x=256,steps=32,shared=common, block.x=64,steps=8,shared=common, block.x=32,shared=common, block.x=16,shared=common,
// CHECK-LABEL: ranks(
// CHECK: block.x+shared: 1 grain refused
// CHECK-NEXT: common-arrays.cu:[[#@LINE+32]]:{{.*}} the result of an atomic operation on a shared array is used
// OTHER: kept: {{.*}}block.x=8,shared=common

// Where all elements exist, the loads of neighbours are joined and come first. The total is added once.
// PTX: bar.sync
// PTX-COUNT-4: ld.global.v4.u32
// PTX-NOT: ld.global
// PTX-COUNT-15: atom.shared.add
// PTX-NOT: atom.shared
// PTX: ld.global
// PTX: bar.sync
// PTX-COUNT-4: atom.global.add
// PTX-NOT: atom.global
// PTX: ret
constexpr int bins = 256;
__global__ void histogram(unsigned *total, const int *data, int n) {
  __shared__ unsigned count[bins];
  count[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&count[data[i]], 1u);
  __syncthreads();
  atomicAdd(&total[threadIdx.x], count[threadIdx.x]);
}

__global__ void ranks(int *rank, unsigned *total, const int *data, int n) {
  __shared__ unsigned count[bins];
  count[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    rank[i] = atomicAdd(&count[data[i]], 1u);
    atomicAdd(&count[0], 1u);
  }
  __syncthreads();
  atomicAdd(&total[threadIdx.x], count[threadIdx.x]);
}
