// Copies of shared memory that no block can have do not reach the back end.
// RUN: %regrain cc --targets=cpu,ptx --coarsen='*:block.x=3' --coarsen='*:block.x=4' -c %s -o %t.o 2>/dev/null
// RUN: %regrain inspect --candidates %t.o | FileCheck %s
// RUN: %regrain cc --targets=ptx --coarsen='*:block.x=4' -c %s -o %t2.o 2>&1 | FileCheck %s --check-prefix=ASKED

// CHECK: candidate block.x=3: kept
// CHECK-NEXT: cpu, {{[1-9][0-9]*}} bytes: kept
// CHECK-NEXT: ptx, {{[1-9][0-9]*}} bytes: kept
// CHECK: candidate block.x=4: kept
// CHECK-NEXT: cpu, {{[1-9][0-9]*}} bytes: kept
// CHECK-NEXT: ptx, 0 bytes: refused (limits): a block declares 65536 bytes of shared memory, and the target allows 49152
// ASKED: shared-limit.cu:[[#@LINE+1]]:{{.*}}remark: {{.*}}is built without block.x=4: a block declares 65536 bytes of shared memory{{.*}}to lift this: ask for a smaller block factor
__global__ void turn(float *v) {
  __shared__ float tile[4096];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x)
    tile[i] = v[blockIdx.x * 4096 + i];
  __syncthreads();
  for (int i = threadIdx.x; i < 4096; i += blockDim.x)
    v[blockIdx.x * 4096 + i] = tile[4095 - i];
}
