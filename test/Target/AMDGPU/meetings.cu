// Lanes of a wave are at one place of the code: programs whose lanes may meet at several
// places are refused, those that name only the lanes of one side of a branch are not.
// RUN: %device-ir %s -o %t.ll
// RUN: regrain-amdgpu-test %t.ll --block=64 --grid=3 --resident=3 | FileCheck %s

// CHECK-DAG: gfx90a _Z15inLoopAndBehindPiPKii: refused [warp-meeting] lanes of a warp may take part in one warp operation at different places in the code
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

// The warps take different paths as a whole.
// CHECK-DAG: gfx90a _Z9wholeWarpPiPKii: agrees
// CHECK-DAG: gfx1100 _Z9wholeWarpPiPKii: agrees
__global__ void wholeWarp(int *out, const int *in, int n) {
  int value = in[threadIdx.x];
  if (threadIdx.x / 32 % 2 == 1)
    value = __shfl_xor_sync(~0u, value, 3);
  out[blockIdx.x * blockDim.x + threadIdx.x] = __shfl_xor_sync(~0u, value, 1);
}

// Each side has its own mask.
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

// Lanes come to one place in iterations of their own.
// CHECK-DAG: gfx90a _Z12inSomeRoundsPiPKii: refused [warp-meeting]
// CHECK-DAG: gfx1100 _Z12inSomeRoundsPiPKii: refused [warp-meeting]
__global__ void inSomeRounds(int *out, const int *in, int n) {
  unsigned value = in[threadIdx.x];
  for (int i = 0; i < n; ++i)
    if ((value + i) % 3 == 0)
      value += __shfl_xor_sync(~0u, value, 1) * 3;
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// The lanes that shuffle do so in all iterations.
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

// All lanes vote in each iteration, and those that shuffle have voted for it.
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

// Masks with different values may name the same lanes, and so may a tile's on both sides.
// CHECK-DAG: gfx90a _Z10equalMasksPiPKii: refused [warp-meeting]
// CHECK-DAG: gfx1100 _Z10equalMasksPiPKii: refused [warp-meeting]
__global__ void equalMasks(int *out, const int *in, int n) {
  int value = in[threadIdx.x];
  unsigned lanes = n > 0 ? ~0u : 1u;
  if (threadIdx.x & 1)
    value += __shfl_xor_sync(~0u, value, 1);
  else
    value -= __shfl_xor_sync(lanes, value, 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// CHECK-DAG: gfx90a _Z12equalBallotsPiPKii: refused [warp-meeting]
// CHECK-DAG: gfx1100 _Z12equalBallotsPiPKii: refused [warp-meeting]
__global__ void equalBallots(int *out, const int *in, int n) {
  int value = in[threadIdx.x];
  unsigned some = __ballot_sync(~0u, n > 0), others = __ballot_sync(~0u, n > 1);
  if (threadIdx.x & 1)
    value += __shfl_xor_sync(some, value, 1);
  else
    value -= __shfl_xor_sync(others, value, 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// CHECK-DAG: gfx90a _Z13masksInMemoryPiPKii: refused [warp-meeting]
// CHECK-DAG: gfx1100 _Z13masksInMemoryPiPKii: refused [warp-meeting]
__global__ void masksInMemory(int *out, const int *in, int n) {
  int value = threadIdx.x;
  if (threadIdx.x & 1)
    value += __shfl_xor_sync(in[0], value, 1);
  else
    value -= __shfl_xor_sync(in[1], value, 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// CHECK-DAG: gfx90a _Z5pairsPiPKii: refused [warp-meeting]
// CHECK-DAG: gfx1100 _Z5pairsPiPKii: refused [warp-meeting]
__global__ void pairs(int *out, const int *in, int n) {
  int value = in[threadIdx.x];
  unsigned pair = 3u << (threadIdx.x & 30);
  if (threadIdx.x & 1)
    value += __shfl_xor_sync(pair, value, 1);
  else
    value -= __shfl_xor_sync(pair, value, 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// The ballot was on the decision of the preceding iteration.
// CHECK-DAG: gfx90a _Z9oldBallotPiPKii: refused [warp-meeting]
// CHECK-DAG: gfx1100 _Z9oldBallotPiPKii: refused [warp-meeting]
__global__ void oldBallot(int *out, const int *in, int n) {
  int value = in[threadIdx.x];
  unsigned lanes = ~0u;
  for (int i = 0; i < 3; ++i) {
    bool isOdd = (value + i) & 1;
    if (isOdd)
      value += __shfl_sync(lanes, value, __ffs(lanes) - 1);
    else
      value -= __shfl_sync(lanes, value, __ffs(lanes) - 1);
    __syncthreads();
    lanes = __ballot_sync(~0u, isOdd);
    if (!isOdd)
      lanes = ~lanes;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// In a later iteration, lanes may name those that are now on the other side.
// CHECK-DAG: gfx90a _Z13masksOfRoundsPiPKii: refused [warp-meeting]
// CHECK-DAG: gfx1100 _Z13masksOfRoundsPiPKii: refused [warp-meeting]
__global__ void masksOfRounds(int *out, const int *in, int n) {
  int value = in[threadIdx.x];
  for (int i = 0; i < 3; ++i) {
    bool isOdd = (value + i) & 1;
    unsigned lanes = isOdd ? 0xffff : 0xffff0000;
    if (isOdd)
      value += __shfl_sync(lanes, value, 1);
    else
      value -= __shfl_sync(lanes, value, 17);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// A counter is the same for all lanes of an iteration, but they have left in different ones.
// CHECK-DAG: gfx90a _Z12countsBehindPiPKii: refused [warp-meeting]
// CHECK-DAG: gfx1100 _Z12countsBehindPiPKii: refused [warp-meeting]
__global__ void countsBehind(int *out, const int *in, int n) {
  int value = in[threadIdx.x], i = 0;
  while (i < (in[64 + threadIdx.x] & 7))
    ++i;
  if (i & 1)
    value += __shfl_xor_sync(~0u, value, 1);
  else
    value -= __shfl_xor_sync(~0u, value, 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// The ballot of a lane's last iteration is on what the others decided before theirs.
// CHECK-DAG: gfx90a _Z13ballotsBehindPiPKii: refused [warp-meeting]
// CHECK-DAG: gfx1100 _Z13ballotsBehindPiPKii: refused [warp-meeting]
__global__ void ballotsBehind(int *out, const int *in, int n) {
  int value = threadIdx.x, i = 0, rounds = threadIdx.x & 1 ? 1 : 2;
  unsigned lanes;
  bool isFirst;
  do {
    isFirst = in[i] != 0 && i == 0;
    lanes = __ballot_sync(i == 0 ? ~0u : 0x55555555u, isFirst);
  } while (++i < rounds);
  if (isFirst)
    value += __shfl_xor_sync(lanes, value, 1);
  else
    value -= __shfl_xor_sync(~0u, value, 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// Lanes enter the loop at two places.
// CHECK-DAG: gfx90a _Z15entersInBetweenPiPKii: refused [warp-meeting]
// CHECK-DAG: gfx1100 _Z15entersInBetweenPiPKii: refused [warp-meeting]
__global__ void entersInBetween(int *out, const int *in, int n) {
  int value = threadIdx.x, sum = 0, rounds = 4;
  switch (in[threadIdx.x] & 1) {
    do {
    case 0:
      sum += value & 3;
    case 1:
      value = __shfl_xor_sync(~0u, value, 1) + 1;
    } while (--rounds > 0);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = value + sum;
}

// Both sides come to both places, each by its own condition.
// CHECK-DAG: gfx90a _Z7crossedPiPKii: refused [warp-meeting]
// CHECK-DAG: gfx1100 _Z7crossedPiPKii: refused [warp-meeting]
__global__ void crossed(int *out, const int *in, int n) {
  int value = in[threadIdx.x];
  if (value & 1) {
    if (n == 64)
      goto adds;
    goto subtracts;
  }
  if (n != 64)
    goto adds;
subtracts:
  out[blockIdx.x * blockDim.x + threadIdx.x] = value - __shfl_xor_sync(~0u, value, 1);
  return;
adds:
  out[blockIdx.x * blockDim.x + threadIdx.x] = value + __shfl_xor_sync(~0u, value, 1);
}

// The lanes call one function at two places.
__device__ __noinline__ int exchange(int value) { return __shfl_xor_sync(~0u, value, 1); }
__device__ int (*exchanges)(int) = exchange;

// CHECK-DAG: gfx90a _Z14throughPointerPiPKii: refused [warp-meeting]
// CHECK-DAG: gfx1100 _Z14throughPointerPiPKii: refused [warp-meeting]
__global__ void throughPointer(int *out, const int *in, int n) {
  int value = in[threadIdx.x];
  if (value & 1)
    value = exchanges(value) + 1;
  else
    value = exchanges(value + 2);
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// No lane of one side is named on the other.
// CHECK-DAG: gfx90a _Z10otherMasksPiPKii: agrees
// CHECK-DAG: gfx1100 _Z10otherMasksPiPKii: agrees
__global__ void otherMasks(int *out, const int *in, int n) {
  int value = in[threadIdx.x], lane = threadIdx.x % 32;
  if (lane < 16)
    value += __shfl_xor_sync(0xffff, value, 1);
  else
    value -= __shfl_xor_sync(0xffff0000, value, 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// CHECK-DAG: gfx90a _Z14masksOfPresentPiPKii: agrees
// CHECK-DAG: gfx1100 _Z14masksOfPresentPiPKii: agrees
__global__ void masksOfPresent(int *out, const int *in, int n) {
  int value = in[threadIdx.x];
  unsigned others = __ballot_sync(~0u, value % 3 != 0);
  if (value % 3 == 0) {
    unsigned here = __activemask();
    value += __shfl_sync(here, here, __ffs(here) - 1) == here;
  } else {
    unsigned alike = __match_any_sync(others, value & 3);
    value -= __shfl_sync(alike, value, __ffs(alike) - 1);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// CHECK-DAG: gfx90a _Z12masksOfCasesPiPKii: agrees
// CHECK-DAG: gfx1100 _Z12masksOfCasesPiPKii: agrees
__global__ void masksOfCases(int *out, const int *in, int n) {
  int value = in[threadIdx.x], kind = value & 3;
  unsigned zeros = __ballot_sync(~0u, kind == 0), ones = __ballot_sync(~0u, kind == 1);
  switch (kind) {
  case 0:
    value += __shfl_sync(zeros, value, __ffs(zeros) - 1);
    break;
  case 1:
    value -= __shfl_sync(ones, value, __ffs(ones) - 1);
    break;
  default:
    value ^= __shfl_sync(~(zeros | ones), value, __ffs(~(zeros | ones)) - 1);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// The lanes that continue meet again; others have left.
// CHECK-DAG: gfx90a _Z9someLeavePiPKii: agrees
// CHECK-DAG: gfx1100 _Z9someLeavePiPKii: agrees
__global__ void someLeave(int *out, const int *in, int n) {
  unsigned value = in[threadIdx.x];
  unsigned stays = __ballot_sync(~0u, value % 5 != 0);
  if (value & 1) {
    if (value % 5 == 0)
      return;
    value *= 3;
  } else if (value % 5 == 0) {
    return;
  }
  for (int i = 0; i < n / 16; ++i)
    if (i & 1)
      value += __shfl_sync(stays, value, __ffs(stays) - 1);
    else
      value -= __shfl_sync(stays, value, __ffs(stays) - 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
