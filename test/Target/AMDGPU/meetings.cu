// Lanes of a wave are at one place of the code: programs whose lanes may meet at several are
// refused, those that name the lanes of one side of a branch are not.
// RUN: %device-ir %s -o %t.ll
// RUN: regrain-amdgpu-test %t.ll --block=64 --grid=3 --resident=3 | FileCheck %s

// CHECK-DAG: gfx90a _Z15inLoopAndBehindPiPKii: refused [warp-meeting] lanes of a warp may meet at different places of the code
// CHECK-DAG: gfx1100 _Z15inLoopAndBehindPiPKii: refused [warp-meeting]
__global__ void inLoopAndBehind(int *out, const int *in, int n) {
  if (threadIdx.x % 32 == 0) {
    int count = 0;
    while (__shfl_sync(3u, 0, 1) != -1)
      ++count;
    out[threadIdx.x] = count;
  } else if (threadIdx.x % 32 == 1) {
    for (int i = 0; i < n; ++i)
      __shfl_sync(3u, i, 1);
    __shfl_sync(3u, -1, 1);
  }
}

// CHECK-DAG: gfx90a _Z9syncApartPiPKii: refused [warp-meeting]
// CHECK-DAG: gfx1100 _Z9syncApartPiPKii: refused [warp-meeting]
__global__ void syncApart(int *out, const int *in, int n) {
  if (threadIdx.x & 1) {
    out[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
  } else {
    __syncwarp();
    out[threadIdx.x] = out[threadIdx.x + 1];
  }
}

// The warps go different ways as a whole.
// CHECK-DAG: gfx90a _Z9wholeWarpPiPKii: agrees
// CHECK-DAG: gfx1100 _Z9wholeWarpPiPKii: agrees
__global__ void wholeWarp(int *out, const int *in, int n) {
  int value = in[threadIdx.x];
  if (threadIdx.x / 32 % 2 == 1)
    value = __shfl_xor_sync(~0u, value, 3);
  out[blockIdx.x * blockDim.x + threadIdx.x] = __shfl_xor_sync(~0u, value, 1);
}

// Each side has a mask of its own.
// CHECK-DAG: gfx90a _Z5sidesPiPKii: agrees
// CHECK-DAG: gfx1100 _Z5sidesPiPKii: agrees
__global__ void sides(int *out, const int *in, int n) {
  bool isOdd = in[threadIdx.x] & 1;
  unsigned odd = __ballot_sync(~0u, isOdd), even = __ballot_sync(~0u, !isOdd);
  unsigned lanes = isOdd ? odd : even;
  if (isOdd)
    out[blockIdx.x * blockDim.x + threadIdx.x] = __shfl_sync(lanes, in[threadIdx.x], __ffs(lanes) - 1);
  else
    out[blockIdx.x * blockDim.x + threadIdx.x] = __shfl_sync(lanes, ~in[threadIdx.x], __ffs(lanes) - 1);
}

// One place, to which lanes come in rounds of their own.
// CHECK-DAG: gfx90a _Z12inSomeRoundsPiPKii: refused [warp-meeting]
// CHECK-DAG: gfx1100 _Z12inSomeRoundsPiPKii: refused [warp-meeting]
__global__ void inSomeRounds(int *out, const int *in, int n) {
  unsigned value = in[threadIdx.x];
  for (int i = 0; i < n; ++i)
    if ((value + i) % 3 == 0)
      value += __shfl_xor_sync(~0u, value, 1) * 3;
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// Whoever shuffles does so in all rounds.
// CHECK-DAG: gfx90a _Z9someLanesPiPKii: agrees
// CHECK-DAG: gfx1100 _Z9someLanesPiPKii: agrees
__global__ void someLanes(int *out, const int *in, int n) {
  unsigned value = in[threadIdx.x];
  bool isFirst = threadIdx.x % 32 < 16;
  for (int i = 0; i < 3; ++i)
    if (isFirst)
      value = __shfl_xor_sync(0xffffu, value, 1) * 3;
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// All lanes vote in each round, and those that shuffle have voted for it.
// CHECK-DAG: gfx90a _Z6votersPiPKii: agrees
// CHECK-DAG: gfx1100 _Z6votersPiPKii: agrees
__global__ void voters(int *out, const int *in, int n) {
  unsigned value = in[threadIdx.x];
  for (int i = 0; i < 3; ++i) {
    unsigned lanes = __ballot_sync(~0u, value & 1);
    if (value & 1)
      value = __shfl_sync(lanes, value, __ffs(lanes) - 1) + i;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
