// Operations between the lanes of a warp are under common control, under control that
// is common to a warp, and under divergent control with member masks, in partial warps.
// RUN: %device-ir %s -o %t.ll
// RUN: %same-on-all-paths %t.ll --kernel=shuffles --kernel=votes --kernel=firstWarp --kernel=halves --kernel=matches --kernel=wide --kernel=exchange --kernel=active --kernel=counted --block=64
// RUN: FileCheck %s < %t.out
// RUN: %same-on-all-paths %t.ll --kernel=shuffles --kernel=votes --kernel=matches --kernel=wide --kernel=exchange --kernel=active --block=45
// RUN: %same-on-all-paths %t.ll --kernel=shuffles --kernel=votes --kernel=firstWarp --kernel=halves --kernel=matches --kernel=counted --block=16,4
constexpr unsigned all = 0xffffffffu;
__device__ int linear() { return threadIdx.x + blockDim.x * threadIdx.y; }

// The digits, two each, are: segment's lane 5, other of a pair, two down, one up.
// CHECK-LABEL: shuffles:
// CHECK-NEXT: 5010200 5000300 5030401
extern "C" __global__ void shuffles(int *out, const int *in, int n) {
  int t = linear(), lane = t % 32;
  int up = __shfl_up_sync(all, lane, 1), down = __shfl_down_sync(all, lane, 2);
  int index = __shfl_sync(all, lane, 5, 8), cross = __shfl_xor_sync(all, lane, 1);
  out[t] = up + 100 * down + 10000 * cross + 1000000 * index;
}

// CHECK-LABEL: votes:
// CHECK-NEXT: 16 16 16
extern "C" __global__ void votes(int *out, const int *in, int n) {
  int t = linear(), lane = t % 32;
  int count = __popc(__ballot_sync(all, lane & 1));
  out[t] = count + 100 * __all_sync(all, lane < 5) + 1000 * __any_sync(all, t == 50);
}

// At the tail of a reduction, one warp continues by itself while the other waits.
// CHECK-LABEL: firstWarp:
// CHECK-NEXT: 2016 2016
extern "C" __global__ void firstWarp(int *out, const int *in, int n) {
  __shared__ int values[64];
  int t = linear();
  values[t] = in[t];
  __syncthreads();
  if (t < 32) {
    int sum = values[t] + values[t + 32];
    for (int reach = 16; reach > 0; reach /= 2)
      sum += __shfl_down_sync(all, sum, reach);
    if (t == 0)
      values[0] = sum;
  }
  __syncthreads();
  out[t] = values[0];
}

// The two halves of a warp diverge, and each meets its own lanes.
// CHECK-LABEL: halves:
// CHECK-NEXT: 120 120
extern "C" __global__ void halves(int *out, const int *in, int n) {
  int t = linear(), lane = t % 32, sum = lane;
  if (lane < 16) {
    for (int reach = 8; reach > 0; reach /= 2)
      sum += __shfl_xor_sync(0x0000ffffu, sum, reach);
  } else {
    __syncwarp(0xffff0000u);
    sum = __shfl_sync(0xffff0000u, sum, 31);
  }
  out[t] = sum;
}

// CHECK-LABEL: matches:
// CHECK-NEXT: 11 11 10
extern "C" __global__ void matches(int *out, const int *in, int n) {
  int t = linear(), lane = t % 32, same = 0;
  unsigned mask = __match_any_sync(all, lane % 3);
  __match_all_sync(all, n, &same);
  out[t] = __popc(mask) + 100 * (same == 0);
}

// CHECK-LABEL: wide:
// CHECK-NEXT: 2 2
extern "C" __global__ void wide(int *out, const int *in, int n) {
  int t = linear(), lane = t % 32;
  long long far = __shfl_xor_sync(all, (1ll << 40) + lane, 1);
  double half = __shfl_xor_sync(all, lane * 0.5, 1);
  int other = lane ^ 1, partner = (t ^ 1) < blockDim.x ? other : lane;
  out[t] = (far == (1ll << 40) + partner) + (half == partner * 0.5);
}

// After __syncwarp, the other lanes read what a lane wrote before it.
// CHECK-LABEL: exchange:
// CHECK-NEXT: 1 0 3 2
extern "C" __global__ void exchange(int *out, const int *in, int n) {
  __shared__ int values[64];
  int t = linear();
  values[t] = t;
  __syncwarp();
  int other = (t ^ 1) < blockDim.x ? values[t ^ 1] : -1;
  __syncwarp();
  values[t] = other;
  __syncwarp();
  out[t] = values[t];
}

// The lanes that take this path together see one another.
// CHECK-LABEL: active:
// CHECK-NEXT: 8 0 0 0 8
extern "C" __global__ void active(int *out, const int *in, int n) {
  int t = linear();
  if (t % 4 == 0 && t < 32)
    out[t] = __popc(__activemask());
}

// The number of iterations differs from warp to warp.
// CHECK-LABEL: counted:
// CHECK-NEXT: 32 32
extern "C" __global__ void counted(int *out, const int *in, int n) {
  int t = linear(), sum = 1;
  for (int turn = 0; turn <= t / 32; ++turn)
    for (int reach = 16; reach > 0; reach /= 2)
      sum += __shfl_xor_sync(all, sum, reach);
  out[t] = sum;
}
