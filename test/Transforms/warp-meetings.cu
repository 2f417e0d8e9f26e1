// Lanes of a warp may meet at different places of the code. Copies in one
// thread do not keep the order of such places, so that they are refused; copies
// of one place, and of places that lanes reach only together, are not.
//
// RUN: %regrain cc --targets=ptx --emit=grain --coarsen='*:block.x=2' %s -o %t 2> %t.remarks
// RUN: FileCheck %s < %t.remarks
// RUN: %regrain cc --targets=ptx --emit=grain --coarsen='*:thread.x=2' %s -o %t 2> %t.threads
// RUN: FileCheck %s --check-prefix=THREADS < %t.threads
// RUN: %regrain cc --targets=ptx --emit=grain --coarsen='*:block.x=2,thread.x=2' %s -o %t 2> %t.both
// RUN: FileCheck %s --check-prefix=BOTH < %t.both
// RUN: %regrain cc --targets=ptx --emit=grain --coarsen='*:fuse.x=2' %s -o %t 2> %t.fused
// RUN: FileCheck %s --check-prefix=FUSED --allow-empty < %t.fused
// RUN: %regrain cc --targets=ptx --emit=grain --coarsen='*:fuse.x=2,block.x=2' %s -o %t 2> %t.fusedblocks
// RUN: FileCheck %s --check-prefix=FUSEDBLOCKS < %t.fusedblocks

// The threads of fused blocks are threads of their own.
// FUSED-NOT: may meet

// One lane is in a loop, the other in another loop and after it.
// CHECK-DAG: kernel 'inLoopAndBehind(int*)' is built without block.x=2: lanes of a warp may take part in one warp operation at different places
// THREADS-DAG: kernel 'inLoopAndBehind(int*)' is built without thread.x=2: lanes of a warp may take part in one warp operation at different places
__global__ void inLoopAndBehind(int *out) {
  int n = out[blockIdx.x] % 16;
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

// BOTH-DAG: kernel 'syncInTwoArms(int*)' is built without block.x=2,thread.x=2: lanes of a warp may take part in one warp operation
// CHECK-DAG: kernel 'syncInTwoArms(int*)' is built without block.x=2: lanes of a warp may take part in one warp operation
__global__ void syncInTwoArms(int *out) {
  if (threadIdx.x & 1) {
    out[threadIdx.x] = 1;
    __syncwarp();
    out[threadIdx.x + 32] = 2;
  } else {
    __syncwarp();
    out[threadIdx.x] = out[threadIdx.x + 1];
  }
}

// There is a barrier between the two places, but none on the path around the loop.
// CHECK-DAG: kernel 'meetsInTheNextRound(int*, int)' is built without block.x=2: lanes of a warp may take part in one warp operation
__global__ void meetsInTheNextRound(int *out, int n) {
  for (int i = 0; i < n; ++i) {
    out[threadIdx.x] += __shfl_xor_sync(~0u, i, 1);
    __syncthreads();
    if (threadIdx.x & 1)
      out[threadIdx.x] ^= __shfl_xor_sync(0xaaaaaaaau, i, 2);
  }
}

// A vote of some lanes does not concern the others.
// CHECK-DAG: kernel 'someVote(int*, unsigned int)' is built without block.x=2: lanes of a warp may take part in one warp operation
__global__ void someVote(int *out, unsigned lanes) {
  int value = out[threadIdx.x];
  if (__any_sync(lanes, value > 3))
    value += __shfl_xor_sync(lanes, value, 1);
  out[threadIdx.x] = __shfl_xor_sync(lanes, value, 1);
}

// The copies of fused blocks are like other copies.
// CHECK-DAG: kernel 'aroundBarriers(int*, int)' is built without block.x=2: lanes of a warp may take part in one warp operation at different places
// FUSEDBLOCKS-DAG: kernel 'aroundBarriers(int*, int)' is built without block.x=2,fuse.x=2: lanes of a warp may take part in one warp operation
__global__ void aroundBarriers(int *out, int n) {
  int value = out[threadIdx.x];
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x % 32 >= 16 && i > 0)
      value += __shfl_xor_sync(~0u, value, 1);
    __syncthreads();
    value += __shfl_xor_sync(~0u, value, 1);
  }
  out[threadIdx.x] = value;
}

// Lanes come to one place in iterations of their own.
// CHECK-DAG: kernel 'inSomeRounds(int*, int)' is built without block.x=2: lanes of a warp may take part in one warp operation in different iterations of a loop
// THREADS-DAG: kernel 'inSomeRounds(int*, int)' is built without thread.x=2: lanes of a warp may take part in one warp operation in different iterations
__global__ void inSomeRounds(int *out, int n) {
  int value = out[threadIdx.x], rounds = out[threadIdx.x + 32];
  for (int i = 0; i < n; ++i)
    if (rounds >> i & 1)
      value = __shfl_xor_sync(~0u, value, 1) * 3;
  out[threadIdx.x] = value;
}

// CHECK-DAG: kernel 'inInnerLoops(int*)' is built without block.x=2: lanes of a warp may take part in one warp operation in different iterations of a loop
__global__ void inInnerLoops(int *out) {
  int value = out[threadIdx.x], first = out[threadIdx.x + 32];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < (i == 0 ? first : 6 - first); ++j)
      value = __shfl_xor_sync(~0u, value, 1) * 3;
  out[threadIdx.x] = value;
}

// Some lanes have three iterations of two, others two iterations of three.
// CHECK-DAG: kernel 'inRoundsOfRounds(int*)' is built without block.x=2: lanes of a warp may take part in one warp operation in different iterations of a loop
__global__ void inRoundsOfRounds(int *out) {
  int value = out[threadIdx.x], inner = out[threadIdx.x + 32];
  for (int i = 0; i < (threadIdx.x & 1 ? 2 : 3); ++i)
    for (int j = 0; j < inner; ++j)
      value = __shfl_xor_sync(~0u, value, 1) * 3;
  out[threadIdx.x] = value;
}

// One operation of all lanes gives different results to lanes with equals.
// CHECK-DAG: kernel 'byEquals(int*)' is built without block.x=2: lanes of a warp may take part in one warp operation at different places
__global__ void byEquals(int *out) {
  int value = out[threadIdx.x], key = out[threadIdx.x + 32], first = 0, second = 0;
  do
    value = __shfl_xor_sync(~0u, value, 1) * 3;
  while (++first < __match_any_sync(~0u, key) % 5);
  do
    value = __shfl_xor_sync(~0u, value, 1) * 3;
  while (__match_any_sync(~0u, key) % 5 + ++second < 9);
  out[threadIdx.x] = value;
}

// The machine shuffles bits, whatever they mean.
// CHECK-DAG: kernel 'asTwoTypes(int*, int)' is built without block.x=2: lanes of a warp may take part in one warp operation at different places
__global__ void asTwoTypes(int *out, int n) {
  int value = out[threadIdx.x];
  if (value > n)
    value = __shfl_xor_sync(~0u, value, 1);
  else
    value = __float_as_int(__shfl_xor_sync(~0u, __int_as_float(value), 1));
  out[threadIdx.x] = value;
}

// None of these is refused.
// CHECK-NOT: kernel 'stays
// FUSEDBLOCKS-NOT: kernel 'stays
// THREADS-NOT: kernel 'stays
// A copy that one coarsening made is not another place for the next.
// BOTH-NOT: kernel 'stays

__global__ void staysBlockSum(float *out, const float *in) {
  __shared__ float sums[32];
  float value = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int offset = 16; offset; offset /= 2)
    value += __shfl_down_sync(~0u, value, offset);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0;
    for (int offset = 16; offset; offset /= 2)
      value += __shfl_down_sync(~0u, value, offset);
    if (threadIdx.x == 0)
      out[blockIdx.x] = value;
  }
}

// A ballot and a shuffle are never one operation.
__global__ void staysGuarded(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned lanes = __ballot_sync(~0u, i < n);
  if (i < n) {
    float value = in[i];
    for (int offset = 16; offset; offset /= 2)
      value += __shfl_down_sync(lanes, value, offset);
    out[i] = value;
  }
}

// All lanes vote, so that all continue.
__global__ void staysWhileAny(int *out) {
  int value = out[threadIdx.x];
  while (__any_sync(~0u, value > 0))
    value -= 1 + __shfl_sync(~0u, value, 0) % 2;
  out[threadIdx.x] = __shfl_sync(~0u, value, 3);
}

// There are barriers on both paths between the two places.
__global__ void staysInRounds(int *out, int n) {
  for (int i = 0; i < n; ++i) {
    out[threadIdx.x] += __shfl_xor_sync(~0u, i, 1);
    __syncthreads();
    if (threadIdx.x & 1)
      out[threadIdx.x] ^= __shfl_xor_sync(0xaaaaaaaau, i, 2);
    __syncthreads();
  }
}

// The lanes that shuffle do so in all iterations.
__global__ void staysForSomeLanes(int *out, int n) {
  int value = out[threadIdx.x];
  bool isFirst = threadIdx.x % 32 < 16;
  for (int i = 0; i < n; ++i)
    if (isFirst)
      value = __shfl_xor_sync(0xffffu, value, 1) * 3;
  out[threadIdx.x] = value;
}

// All lanes vote in each iteration, and those that shuffle have voted for it.
__global__ void staysAmongVoters(int *out, int n) {
  int value = out[threadIdx.x];
  for (int i = 0; i < n; ++i) {
    unsigned lanes = __ballot_sync(~0u, value & 1);
    if (value & 1)
      value = __shfl_sync(lanes, value, __ffs(lanes) - 1) + i;
  }
  out[threadIdx.x] = value;
}

// A match of all lanes gives them the same result.
__global__ void staysWhileEqual(int *out) {
  int value = out[threadIdx.x], isSame;
  do
    value = __shfl_xor_sync(~0u, value, 1) / 3;
  while (__match_all_sync(~0u, value, &isSame) == 0);
  out[threadIdx.x] = __shfl_xor_sync(~0u, value, 1);
}
