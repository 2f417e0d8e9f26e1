// A tile is cast to shared memory once, and the places in it are sums of 32 bits.
// RUN: %regrain cc -O3 --targets=compute_80 --emit=ptx %s -o - | FileCheck %s

__device__ int load(const void *place) {
  int word;
  asm volatile("ld.shared.b32 %0, [%1];" : "=r"(word) : "r"((unsigned)__cvta_generic_to_shared(place)));
  return word;
}
struct Pair {
  int first, second;
};
// CHECK-LABEL: .entry _Z5tiles
// CHECK: ld.local.u64
// CHECK-COUNT-1: cvta.to.shared.u64
// CHECK-NOT: cvta.to.shared
// CHECK-COUNT-4: ld.shared.b32
// CHECK: ret;
__global__ void tiles(int *out, int n, int row) {
  extern __shared__ Pair tile[];
  Pair *stages[] = {tile, tile + 1024, tile + 2048, tile + 3072};
  tile[threadIdx.x] = {n, row};
  __syncthreads();
  int sum = 0;
  for (int stage = 0; stage < n; ++stage) {
    Pair *at = stages[stage % 4] + row * 32;
    sum += load(at + threadIdx.x) + load(at + threadIdx.x + row) + load(at + 7) + load(&at[row].second);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
// A generic address that is needed stays.
// CHECK-LABEL: .entry _Z7generic
// CHECK: add.s64 [[PLACE:%rd[0-9]+]]
// CHECK: st.u32 {{\[}}[[PLACE]]]
// CHECK: cvta.to.shared.u64 %{{.*}}, [[PLACE]];
// CHECK: ret;
__global__ void generic(int *out, int **places, int n) {
  int *place = *places;
  place[n] = 5;
  out[threadIdx.x] = load(place + n);
}
