// RUN: %regrain cc --targets=ptx --coarsen='*:block.x=2' --emit=ptx %s | FileCheck %s

// The copies of an array are one block of memory: a place is one register.

// CHECK-LABEL: .entry turn(
// CHECK: .shared .align 4 .b8 {{.*}}values[256]
// CHECK-LABEL: .entry turn__grain_block_x2(
// CHECK: .shared .align 16 .b8 [[ALL:.*shared.*]][512];
// CHECK-NOT: .shared .align
// CHECK: st.shared.u32 [[[PLACE:%r[0-9]+]]], %r{{[0-9]+}};
// CHECK-NEXT: st.shared.u32 [[[PLACE]]+256], %r{{[0-9]+}};
extern "C" __global__ void turn(int *out, const int *in) {
  __shared__ int values[64];
  int at = blockIdx.x * 64 + threadIdx.x;
  values[threadIdx.x] = in[at];
  __syncthreads();
  out[at] = values[63 - threadIdx.x];
}

__device__ int lastOf(const int *values) { return values[blockDim.x - 1]; }

// Each keeps its alignment, and a selected address is computed where it is used.

// CHECK-LABEL: .entry choose__grain_block_x2(
// CHECK: .shared .align 16 .b8 {{.*}}shared{{.*}}[608];
extern "C" __global__ void choose(int *out, int which) {
  __shared__ char letters[44];
  __shared__ __align__(16) int values[64];
  letters[threadIdx.x % 44] = threadIdx.x;
  values[threadIdx.x] = threadIdx.x + blockIdx.x;
  __syncthreads();
  const int *from = which ? values : reinterpret_cast<const int *>(letters);
  for (int i = 0; i < which; ++i)
    from += i % 2;
  out[blockIdx.x * 64 + threadIdx.x] = *from + lastOf(values) + letters[5];
}

// A block that leads to one place by two edges passes the same address by both.

// CHECK-LABEL: .entry switched__grain_block_x2(
// CHECK: .shared .align 16 .b8 {{.*}}shared{{.*}}[1024];
extern "C" __global__ void switched(int *out, int which) {
  __shared__ int odd[64], even[64];
  odd[threadIdx.x] = threadIdx.x + blockIdx.x;
  even[threadIdx.x] = 2 * threadIdx.x;
  __syncthreads();
  const int *from = out;
  switch (which) {
  case 7:
  case 12:
  case 40:
    from = odd;
    break;
  case 3:
  case 90:
    from = even;
    break;
  }
  out[blockIdx.x * 64 + threadIdx.x] = from[63 - threadIdx.x];
}
