// Arrays of the module are aligned to 16 bytes, so that neighbouring elements are accessed at once: in constant memory,
// which other grains read as global memory, and in global memory. Small variables stay as they are.
// RUN: %regrain cc -O3 --targets=ptx --coarsen='add:thread.x=4:contiguous' --coarsen='pairs:thread.x=4:contiguous,for.pointers=16' --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=ptx -DFULL --emit=ptx %s | FileCheck %s --check-prefix=FULL

// CHECK-DAG: .const .align 16 .b8 table[1024]
// CHECK-DAG: .global .align 16 .b8 sums[1024]
// CHECK-DAG: .const .align 4 .b8 pair[8]
// CHECK-DAG: .global .align 4 .u32 calls
// FULL: .const .align 4 .b8 table[65532]
#ifdef FULL
// With gaps, constant memory might not hold a scalar beside the array.
__constant__ float scale;
__constant__ float table[16383];
#else
__constant__ float table[256];
#endif
__constant__ float pair[2];
__device__ float sums[256];
__device__ int calls;

// CHECK-LABEL: .entry add__grain_
// CHECK: ld.global.nc.v4.f32
// CHECK: ld.global.v4.f32
// CHECK: st.global.v4.f32
// CHECK: ret;
extern "C" __global__ void add() { sums[threadIdx.x] += table[threadIdx.x]; }

// CHECK-LABEL: .entry pairs__grain_
// CHECK-NOT: ld.global.v4
// CHECK: ret;
extern "C" __global__ void pairs(float *out) {
  out[threadIdx.x] = pair[threadIdx.x & 1];
  calls = 1;
}
