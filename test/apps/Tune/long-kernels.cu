// A long launch is timed in part where its blocks work alone, and whole where they draw tickets. Both leave what they must.
// RUN: rm -rf %t && mkdir %t
// RUN: %regrain cc -O2 --targets=cpu --alternatives=3 %s -o %t/program
// RUN: env REGRAIN_NUM_THREADS=1 timeout 120 %regrain tune --budget=30 --db %t/db --json %t/json -- %t/program 2> %t/err | FileCheck %s --check-prefix=OUT
// OUT: alone: right
// OUT-NEXT: tickets: right
// RUN: %python -c "import json,sys; cs=json.load(open(sys.argv[1]))['classes']; print({c['kernel'].split('(')[0]: sorted({m['outcome'] for m in c['measurements'] if m['outcome'].startswith('timed')}) for c in cs})" %t/json | FileCheck %s --check-prefix=TIMED
// TIMED: {'alone': ['timed on part of the grid'], 'tickets': ['timed']}
#include <cstdio>
#include <vector>

constexpr int blocks = 4096, threads = 64, steps = 300;

__device__ unsigned work(unsigned x) {
  for (int i = 0; i < steps; ++i)
    x = x * 1664525u + 1013904223u ^ x >> 7;
  return x;
}

__global__ void alone(unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = work(i);
}

__global__ void tickets(unsigned *out, unsigned *drawn) {
  __shared__ unsigned mine;
  if (threadIdx.x == 0)
    mine = atomicAdd(drawn, 1u);
  __syncthreads();
  unsigned i = mine * blockDim.x + threadIdx.x;
  out[i] = work(i);
}

static void check(const char *name, const unsigned *out) {
  std::vector<unsigned> result(blocks * threads);
  cudaMemcpy(result.data(), out, result.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
  bool isRight = true;
  for (unsigned i = 0; i < result.size(); i += 997) {
    unsigned x = i;
    for (int j = 0; j < steps; ++j)
      x = x * 1664525u + 1013904223u ^ x >> 7;
    isRight &= result[i] == x;
  }
  std::printf("%s: %s\n", name, isRight ? "right" : "wrong");
}

int main() {
  unsigned *out, *drawn;
  cudaMalloc(&out, blocks * threads * sizeof(unsigned));
  cudaMalloc(&drawn, sizeof(unsigned));
  alone<<<blocks, threads>>>(out);
  check("alone", out);
  cudaMemset(out, 0, blocks * threads * sizeof(unsigned));
  cudaMemset(drawn, 0, sizeof(unsigned));
  tickets<<<blocks, threads>>>(out, drawn);
  check("tickets", out);
}
