// These are operations between the lanes of a warp of 32, on waves of 64 and of 32: full
// warps, blocks that end within a warp and within a wave, blocks of two dimensions.
// RUN: %device-ir %s -o %t.ll
// RUN: regrain-amdgpu-test %t.ll --block=128 --n=512 | FileCheck %s
// RUN: regrain-amdgpu-test %t.ll --block=96 --grid=2 --n=512 | FileCheck %s
// RUN: regrain-amdgpu-test %t.ll --block=45 --n=512 | FileCheck %s
// RUN: regrain-amdgpu-test %t.ll --block=16,5,2 --n=512 --code-object-version=4 | FileCheck %s
// RUN: regrain-amdgpu-test %t.ll --block=77 --n=512 -O0 | FileCheck %s
// CHECK-NOT: refused
// CHECK: gfx1100 _Z5lanesPiPKii: agrees
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__device__ int linear() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ int global() {
  return blockIdx.x * blockDim.x * blockDim.y * blockDim.z + linear();
}
/* Returns the threads of this warp: the last warp of a block can be short. */
__device__ unsigned warp() {
  int left = blockDim.x * blockDim.y * blockDim.z - linear() / 32 * 32;
  return left >= 32 ? ~0u : (1u << left) - 1;
}
__device__ int mix(int hash, unsigned value) { return hash * 31u + value; }
__device__ int mix(int hash, int value) { return mix(hash, (unsigned)value); }
__device__ int mix(int hash, float value) { return mix(hash, __float_as_int(value)); }
__device__ int mix(int hash, long long value) { return mix(mix(hash, (int)value), (int)(value >> 32)); }
__device__ int mix(int hash, double value) { return mix(hash, __double_as_longlong(value)); }

/* Returns a source that exists: shuffles from absent lanes have no result. */
__device__ int within(unsigned mask, int source, int own) { return mask >> (source & 31) & 1 ? source : own; }

template <class T> __device__ int shuffleAll(T value, int seed) {
  unsigned mask = warp();
  int lane = linear() & 31, hash = 0;
  for (int width = 1; width <= 32; width *= 2) {
    int base = lane & ~(width - 1);
    int from = within(mask, base | (seed & (width - 1)), lane);
    hash = mix(hash, __shfl_sync(mask, value, from & (width - 1), width));
    const unsigned deltas[] = {0, 1, 3, 16, 31};
    for (unsigned delta : deltas) {
      hash = mix(hash, __shfl_up_sync(mask, value, delta, width));
      T down = __shfl_down_sync(mask, value, delta, width);
      if (mask >> (lane + delta & 31) & 1 || lane + delta >= base + width)
        hash = mix(hash, down);
      T other = __shfl_xor_sync(mask, value, (int)delta, width);
      if (mask >> (lane ^ delta) & 1)
        hash = mix(hash, other);
    }
  }
  return hash;
}

__global__ void shuffleInts(int *out, const int *in, int n) {
  int i = global();
  out[i] = shuffleAll(in[i], in[i + n / 2]);
}
__global__ void shuffleUnsigned(int *out, const int *in, int n) {
  int i = global();
  out[i] = shuffleAll((unsigned)in[i], in[i + n / 2]);
}
__global__ void shuffleFloats(int *out, const int *in, int n) {
  int i = global();
  out[i] = shuffleAll((float)in[i] / 3, in[i + n / 2]);
}
__global__ void shuffleDoubles(int *out, const int *in, int n) {
  int i = global();
  out[i] = shuffleAll((double)in[i] / 7, in[i + n / 2]);
}
__global__ void shuffleLongs(int *out, const int *in, int n) {
  int i = global();
  out[i] = shuffleAll((long long)in[i] * in[i + n / 2], in[i]);
}

__global__ void votes(int *out, const int *in, int n) {
  int i = global(), value = in[i];
  unsigned mask = warp();
  int hash = mix(0, __ballot_sync(mask, value & 1));
  hash = mix(hash, __any_sync(mask, value == in[0]));
  hash = mix(hash, __all_sync(mask, value > -1));
  hash = mix(hash, __all_sync(mask, linear() < 64));
  hash = mix(hash, __uni_sync(mask, linear() < 40));
  hash = mix(hash, __uni_sync(mask, linear() < 64));
  hash = mix(hash, __activemask());
  out[i] = hash;
}

__global__ void matches(int *out, const int *in, int n) {
  int i = global();
  unsigned mask = warp();
  int predicate, hash = 0;
  hash = mix(hash, __match_any_sync(mask, in[i] & 3));
  hash = mix(hash, __match_any_sync(mask, in[i]));
  hash = mix(hash, __match_any_sync(mask, (unsigned long long)(in[i] & 5) << 33));
  hash = mix(hash, __match_all_sync(mask, linear() / 64, &predicate));
  hash = mix(hash, predicate);
  hash = mix(hash, __match_all_sync(mask, linear() & 16, &predicate));
  hash = mix(hash, predicate);
  hash = mix(hash, __match_all_sync(mask, (unsigned long long)(linear() / 32) << 40, &predicate));
  hash = mix(hash, predicate);
  hash = mix(hash, __match_all_sync(mask, (unsigned long long)(linear() == 33) << 40, &predicate));
  out[i] = mix(hash, predicate);
}

__global__ void reductions(int *out, const int *in, int n) {
  int i = global(), value = in[i];
  unsigned mask = warp();
  int hash = mix(0, __reduce_add_sync(mask, value));
  hash = mix(hash, __reduce_add_sync(mask, (unsigned)value));
  hash = mix(hash, __reduce_min_sync(mask, value));
  hash = mix(hash, __reduce_max_sync(mask, value));
  hash = mix(hash, __reduce_min_sync(mask, (unsigned)value));
  hash = mix(hash, __reduce_max_sync(mask, (unsigned)value));
  hash = mix(hash, __reduce_and_sync(mask, (unsigned)value));
  hash = mix(hash, __reduce_or_sync(mask, (unsigned)value));
  out[i] = mix(hash, __reduce_xor_sync(mask, (unsigned)value));
}

/* Lanes diverge: four disjoint masks, chosen by data, and a vote on each side of a branch. */
__global__ void apart(int *out, const int *in, int n) {
  int i = global(), lane = linear() & 31, hash = 0, group = in[i] & 3;
  unsigned lanes = warp(), zeros = __ballot_sync(lanes, group == 0);
  unsigned ones = __ballot_sync(lanes, group == 1), twos = __ballot_sync(lanes, group == 2);
  unsigned others = lanes & ~(zeros | ones | twos);
  switch (group) {
  case 0:
    hash = __shfl_sync(zeros, in[i], __ffs(zeros) - 1);
    break;
  case 1:
    hash = mix(__ballot_sync(ones, in[i] & 8), __activemask());
    break;
  case 2:
    hash = __reduce_add_sync(twos, in[i]);
    break;
  default:
    hash = mix(__match_any_sync(others, in[i] & 12), __any_sync(others, lane == __ffs(others) - 1));
    __syncwarp(others);
  }
  if (lane < 8 && warp() >= 255)
    hash = mix(hash, __shfl_xor_sync(0xff, hash, 3));
  else if (lane >= 8)
    hash = mix(hash, __popc(__ballot_sync(warp() & ~0xff, hash & 1)));
  out[i] = hash;
}

/* Lanes leave a loop one after the other; those that remain continue together. */
__global__ void leaving(int *out, const int *in, int n) {
  int i = global(), hash = 0, rounds = (in[i] & 15) + linear() % 3;
  for (int round = 0; round < rounds; ++round) {
    unsigned here = __activemask();
    hash = mix(hash, __shfl_sync(here, in[i] ^ round, __ffs(here) - 1));
    hash = mix(hash, __ballot_sync(here, round & linear()));
  }
  out[i] = hash;
}

/* One warp of a wave continues where the other does not. */
__global__ void oneWarp(int *out, const int *in, int n) {
  int i = global();
  unsigned value = in[i];
  if (linear() / 32 % 2 == 0)
    for (int step = 16; step > 0; step /= 2) {
      unsigned other = __shfl_down_sync(warp(), value, step);
      value += (warp() >> ((linear() & 31) + step & 31) & 1) ? other : 0;
    }
  out[i] = value;
}

__global__ void exchange(int *out, const int *in, int n) {
  __shared__ int values[1024];
  int t = linear(), i = global(), partner = t ^ 1;
  values[t] = in[i];
  __syncwarp(warp());
  out[i] = warp() >> (partner & 31) & 1 ? values[partner] : 1;
}

template <unsigned Size> __device__ int tile(int value) {
  auto group = cg::tiled_partition<Size>(cg::this_thread_block());
  int hash = mix(group.thread_rank(), group.meta_group_rank());
  hash = mix(hash, group.ballot(value & 2));
  hash = mix(hash, group.shfl(value, 0));
  hash = mix(hash, group.shfl_up(value, 1));
  hash = mix(hash, group.match_any(value & 1));
  return mix(hash, group.any(value == 7));
}
__global__ void tiles(int *out, const int *in, int n) {
  int i = global(), value = in[i];
  out[i] = 5;
  if (warp() != ~0u)
    return;
  int hash = mix(tile<32>(value), tile<16>(value));
  hash = mix(mix(hash, tile<8>(value)), mix(tile<4>(value), tile<2>(value)));
  auto quarter = cg::tiled_partition<8>(cg::this_thread_block());
  hash = mix(hash, cg::reduce(quarter, (unsigned)value, cg::plus<unsigned>()));
  out[i] = hash;
}

__global__ void counts(int *out, const int *in, int n) {
  int i = global();
  int hash = mix(__syncthreads_count(in[i] & 1), __syncthreads_or(in[i] == 5));
  hash = mix(hash, __syncthreads_and(linear() < 40));
  if (linear() % 7 == 0)
    return;
  out[i] = mix(hash, __syncthreads_count(linear() < 70));
}

__global__ void lanes(int *out, const int *in, int n) {
  int hash = mix(warpSize, __nvvm_read_ptx_sreg_laneid());
  hash = mix(hash, __nvvm_read_ptx_sreg_lanemask_lt());
  hash = mix(hash, __nvvm_read_ptx_sreg_lanemask_le());
  hash = mix(hash, __nvvm_read_ptx_sreg_lanemask_gt());
  hash = mix(hash, __nvvm_read_ptx_sreg_lanemask_ge());
  hash = mix(hash, __nvvm_read_ptx_sreg_lanemask_eq());
  hash = mix(hash, blockDim.x + 8 * blockDim.y + 64 * blockDim.z);
  hash = mix(hash, gridDim.x + 8 * gridDim.y + 64 * gridDim.z);
  out[global()] = mix(hash, threadIdx.z + 8 * blockIdx.x);
}
