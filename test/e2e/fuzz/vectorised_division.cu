// This is from --seed=910751: a division under a condition, whose address other lanes
// of the loop vectoriser share, in an iteration where the first one does not divide.
// RUN: %regrain cc --targets=cpu -G -o %t.plain %s
// RUN: %regrain cc --targets=cpu -o %t %s
// RUN: timeout 60 %t.plain > %t.expected
// RUN: timeout 60 %t > %t.optimised
// RUN: diff %t.expected %t.optimised
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Argument { unsigned a; float f; unsigned table[8]; };
__constant__ unsigned constants[8] = {225050264u, 3846942086u, 821484584u, 1732085922u, 1539641515u, 1010116759u, 1991421793u, 1920137320u};
__device__ inline void meet() { __syncthreads(); }
__device__ inline unsigned clamp(unsigned x, unsigned low, unsigned high, unsigned elements) {
  return unsigned(min(max(int(x), int(low % elements)), int(high % elements)));
}
__device__ inline unsigned toWord(float x) {
  return x > -65536.0f && x < 65536.0f ? unsigned(int(x)) : 7u;
}
__device__ inline unsigned toWord(unsigned long long x) { return unsigned(x ^ (x >> 32)); }
__device__ inline unsigned long long toWide(unsigned x) { return x * 0x100000001ull; }
__device__ inline unsigned long long toWide(float x) { return toWord(x); }
__device__ inline float toReal(unsigned x) { return float(x & 0xffffu); }
__device__ inline float toReal(unsigned long long x) { return toReal(toWord(x)); }

extern "C" __global__ void kernel(unsigned *__restrict__ out, float *__restrict__ real, const unsigned *__restrict__ in, unsigned *__restrict__ data, unsigned *__restrict__ counters, unsigned *__restrict__ scratch, Argument argument, unsigned n, unsigned a, unsigned b) {
  const unsigned threads = blockDim.x;
  const unsigned tid = threadIdx.x;
  const unsigned block = blockIdx.x;
  const unsigned gid = block * threads + tid;
  const unsigned total = threads * gridDim.x;
  const unsigned live = threads;
  extern __shared__ __align__(16) unsigned char dynamicShared[];
  float *s0 = (float *)(dynamicShared + 0);
  unsigned *s1 = (unsigned *)(scratch) + block * 16;
    for (unsigned j = tid; j < 32; j += threads)
      s0[j] = real[gid] + j;
    unsigned v1 = (unsigned((blockIdx.x + 0u) == 0u) ? 10u : 0u);
    unsigned v2 = (unsigned((blockIdx.x + 1u) == gridDim.x) ? 50u : 64u);
    {
      unsigned v5 = argument.a % 3;
      while (v5 > 0) {
        --v5;
      if (unsigned(unsigned(v1 < (threadIdx.x + 1u)) && unsigned(threadIdx.x < v2))) {
        s0[tid + threads * (v2 % (blockDim.x * 2) / blockDim.x)] = 8.0f;
      }
      }
    }
}

static unsigned word(unsigned buffer, unsigned index) {
  unsigned x = (index + 1) * 0x9e3779b9u + buffer * 0x85ebca6bu;
  x ^= x >> 15;
  x *= 0x2c1b3c6du;
  x ^= x >> 12;
  return buffer == 1 ? x & 1023 : x;
}

template <class T> static T *make(unsigned buffer, unsigned elements) {
  std::vector<T> values(elements);
  for (unsigned i = 0; i < elements; ++i)
    values[i] = T(word(buffer, i));
  T *memory = nullptr;
  if (cudaMalloc(&memory, elements * sizeof(T)) != cudaSuccess ||
      cudaMemcpy(memory, values.data(), elements * sizeof(T), cudaMemcpyHostToDevice) != cudaSuccess)
    exit(1);
  return memory;
}

static void show(const char *name, const void *memory, unsigned elements) {
  std::vector<unsigned> values(elements);
  if (cudaMemcpy(values.data(), memory, elements * 4, cudaMemcpyDeviceToHost) != cudaSuccess)
    exit(1);
  unsigned long long hash = 0xcbf29ce484222325ull;
  for (unsigned value : values)
    hash = (hash ^ value) * 0x100000001b3ull;
  printf("%s %016llx\n", name, hash);
}

int main() {
  unsigned *out = make<unsigned>(0, 64);
  float *real = make<float>(1, 16);
  unsigned *in = make<unsigned>(2, 256);
  unsigned *data = make<unsigned>(3, 245);
  unsigned *counters = make<unsigned>(4, 48);
  unsigned *scratch = make<unsigned>(5, 22);
  Argument argument = {3304270012u, 0.75f, {}};
  for (unsigned i = 0; i < 8; ++i)
    argument.table[i] = word(6, i);
  kernel<<<dim3(1, 1, 1), dim3(16, 1, 1), 128>>>(out, real, in, data, counters, scratch, argument, 245u, 3304270009u, 3737737535u);
  show("out", out, 64);
  show("real", real, 16);
  show("in", in, 256);
  show("data", data, 245);
  show("counters", counters, 48);
  show("scratch", scratch, 22);
}
