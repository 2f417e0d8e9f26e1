// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:thread.x=4:contiguous' --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:block.x=2,thread.x=4:contiguous,shared=apart' --emit=ptx %s | FileCheck %s --check-prefix=APART

// Accesses of neighbours in shared memory become one access if it is aligned:
// the array and the thread's first element are, and the original is unchanged.

// CHECK-LABEL: .entry turn(
// CHECK: .shared .align 4 .b8 {{.*}}tile[1024]
// CHECK-NOT: shared.v
// CHECK-LABEL: .entry turn__grain_thread_x4_contiguous(
// CHECK: .shared .align 16 .b8 {{.*}}tile{{.*}}[1024]
// CHECK: st.shared.v4.u32 [%r{{[0-9]+}}], {
// CHECK: ld.shared.v4.u32 {{{.*}}}, [%r{{[0-9]+}}];
// CHECK-NOT: {{(ld|st)}}.shared.u32

// Separate copies are each aligned.

// APART-LABEL: .entry turn__grain_block_x2_thread_x4_contiguous_sharedapart(
// APART-COUNT-2: .shared .align 16 .b8 {{.*}}[1024]
// APART: st.shared.v4.u32
// APART: ld.shared.v4.u32
extern "C" __global__ void turn(int *data) {
  __shared__ int tile[8][32];
  int *row = data + (blockIdx.x * 8 + threadIdx.y) * 32;
  tile[threadIdx.y][threadIdx.x] = row[threadIdx.x];
  __syncthreads();
  row[threadIdx.x] = tile[7 - threadIdx.y][threadIdx.x];
}

// Rows of seventeen start anywhere; two accesses of eight bytes are the widest possible.

// CHECK-LABEL: .entry rows__grain_thread_x4_contiguous(
// CHECK-NOT: shared.v
// CHECK: ret;
extern "C" __global__ void rows(int *data) {
  __shared__ int tile[8][17];
  int at = threadIdx.y * 17 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = data[at];
  __syncthreads();
  data[at] = tile[7 - threadIdx.y][threadIdx.x];
}

// CHECK-LABEL: .entry wide__grain_thread_x4_contiguous(
// CHECK-COUNT-2: st.shared.v2.u64
// CHECK-COUNT-2: ld.shared.v2.u64
// CHECK-NOT: {{(ld|st)}}.shared
// CHECK: ret;
extern "C" __global__ void wide(long long *data) {
  __shared__ long long tile[8][32];
  tile[threadIdx.y][threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[7 - threadIdx.y][threadIdx.x];
}

// A word before the array moves it to the next aligned place; an array smaller
// than the widest access stays where it is.

// CHECK-LABEL: .entry beside__grain_thread_x4_contiguous(
// CHECK: .shared .align 16 .b8 shared[1040]
// CHECK: st.shared.v4.u32 [%r{{[0-9]+}}+16], {
extern "C" __global__ void beside(int *data) {
  __shared__ int last;
  __shared__ int tile[8][32];
  if (threadIdx.x == 0)
    last = data[blockIdx.x];
  tile[threadIdx.y][threadIdx.x] = threadIdx.x;
  __syncthreads();
  data[threadIdx.x] = tile[7 - threadIdx.y][threadIdx.x] + last;
}
