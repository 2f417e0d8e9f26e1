// Loops with barriers and shuffles are unrolled like others, if the threads of a block leave them in the same iteration.
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx %s -o %t.ptx 2>&1 | count 0
// RUN: %python %S/../Inputs/count.py bar.sync %t.ptx | FileCheck %s --check-prefix=BARRIERS --match-full-lines
// RUN: %python %S/../Inputs/count.py shfl.sync %t.ptx | FileCheck %s --check-prefix=SHUFFLES --match-full-lines
// RUN: FileCheck %s --input-file=%t.ptx
// A grain that asks for no unrolling has none.
// RUN: %regrain cc -O3 --targets=compute_70 --coarsen='*:unroll=none' --emit=ptx %s -o %t.none.ptx
// RUN: %python %S/../Inputs/count.py bar.sync %t.none.ptx | FileCheck %s --check-prefix=NONE --match-full-lines

// What the threads agree on is not known in a function that is called.
// CHECK: .func {{.*}}_Z3sumfi(
// CHECK: shfl.sync
// CHECK-NOT: shfl.sync
// CHECK: .func {{.*}}_Z7productfi(
__device__ float sum(float x, int n) {
  for (int i = 0; i < n; ++i)
    x += __shfl_xor_sync(~0u, x, 1) * 1.5f;
  return x;
}
__device__ float product(float x, int n) { return x * n; }
__global__ void called(float *p, int n) {
  float (*function)(float, int) = p[n] > 0 ? sum : product;
  p[threadIdx.x] = function(p[threadIdx.x], threadIdx.x);
}
// The counter steps by a constant without overflow, from a number that the block shares. One iteration in front of the loop, and two in it.
// BARRIERS: windows: 54
// NONE: windows: 18
// CHECK-LABEL: .entry {{.*}}windows
// CHECK: and.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 256;
// CHECK-COUNT-18: bar.sync
// CHECK: $L__BB{{[0-9]+}}_{{[0-9]+}}:
// CHECK-COUNT-36: bar.sync
__global__ void windows(const float4 *__restrict__ in, float4 *out, int n) {
  __shared__ float all[512];
  volatile float *line = all;
  int size = n / gridDim.x, start = blockIdx.x * size, thread = threadIdx.x;
  for (int window = start; window < start + size; window += 256) {
    float4 four = in[window + thread];
    line[thread] = 0;
    line[thread + 256] = four.x + four.y + four.z + four.w;
    __syncthreads();
#pragma unroll
    for (int distance = 1; distance < 256; distance *= 2) {
      float other = line[thread + 256 - distance];
      __syncthreads();
      line[thread + 256] += other;
      __syncthreads();
    }
    four.x += line[thread + 255];
    out[window + thread] = four;
    __syncthreads();
  }
}
// A short body: four iterations, and one in the loop for the rest. The limit is the same number in memory for all threads.
// SHUFFLES: shuffled: 5
__global__ void shuffled(float *p, const int *n) {
  float x = p[threadIdx.x];
  for (int i = 0, end = *n; i < end; ++i)
    x += __shfl_xor_sync(~0u, x, 1) * 1.5f;
  p[threadIdx.x] = x;
}
// Threads that go another number of times may be in the loop alone.
// SHUFFLES: own_limit: 1
// SHUFFLES: own_start: 1
// SHUFFLES: own_number: 1
__global__ void own_limit(float *p, int n) {
  float x = p[threadIdx.x];
  for (int i = 0; i < n + int(threadIdx.x); ++i)
    x += __shfl_xor_sync(__activemask(), x, 1) * 1.5f;
  p[threadIdx.x] = x;
}
__global__ void own_start(float *p, int n) {
  float x = p[threadIdx.x];
  for (int i = threadIdx.x; i < n; i += 32)
    x += __shfl_xor_sync(~0u, x, 1) * 1.5f;
  p[threadIdx.x] = x;
}
__global__ void own_number(float *p, const int *n) {
  float x = p[threadIdx.x];
  for (int i = 0, end = n[threadIdx.x]; i < end; ++i)
    x += __shfl_xor_sync(~0u, x, 1) * 1.5f;
  p[threadIdx.x] = x;
}
// A loop that may end in the middle, and one whose counter may pass its end for ever.
// BARRIERS: ends_early: 1
// BARRIERS: halved: 1
__global__ void ends_early(float *p, int n) {
  __shared__ int stop;
  float x = p[threadIdx.x];
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0)
      stop = p[i] > 0;
    __syncthreads();
    x = p[threadIdx.x ^ 33] * 2;
    if (stop)
      break;
  }
  p[threadIdx.x] = x;
}
__global__ void halved(float *p) {
  extern __shared__ float line[];
  for (unsigned i = blockDim.x / 2; i > 0; i >>= 1) {
    if (threadIdx.x < i)
      line[threadIdx.x] += line[threadIdx.x + i];
    __syncthreads();
  }
  p[threadIdx.x] = line[0];
}
// A counter without a sign may go around, and never reach the end.
// BARRIERS: goes_around: 1
__global__ void goes_around(float *p, unsigned start, unsigned end) {
  float x = p[threadIdx.x];
  for (unsigned i = start; i < end; i += 256) {
    p[i + threadIdx.x] = x;
    __syncthreads();
    x = p[i + (threadIdx.x ^ 33)] * 2;
  }
  p[threadIdx.x] = x;
}
// The addresses in the tiles count, although they are computed in front of the loop: 12 products are two times, 16 are not.
// BARRIERS: tile_small: 6
// BARRIERS: tile_large: 2
template <int size> __device__ void multiply(const float *a, const float *b, float *c, int n) {
  __shared__ float rows[32][32], columns[32][32];
  float sum = 0;
  int i = blockIdx.y * 32 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
  for (int k = 0; k < n; ++k) {
    rows[threadIdx.y][threadIdx.x] = a[i * n + k * 32 + threadIdx.x];
    columns[threadIdx.y][threadIdx.x] = b[(k * 32 + threadIdx.y) * n + j];
    __syncthreads();
#pragma unroll
    for (int l = 0; l < size; ++l)
      sum += rows[threadIdx.y][l] * columns[l][threadIdx.x];
    __syncthreads();
  }
  c[i * n + j] = sum;
}
__global__ void tile_small(const float *a, const float *b, float *c, int n) { multiply<12>(a, b, c, n); }
__global__ void tile_large(const float *a, const float *b, float *c, int n) { multiply<16>(a, b, c, n); }
