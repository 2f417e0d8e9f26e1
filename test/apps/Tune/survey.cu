// Many small classes of launches come first, and the one that takes nearly all of the time comes last. After a survey, its part of the
// budget is kept for it. Without one, the first classes spend what they can.
// What is expected depends on times, which other work of the machine can disturb: one failure does not count.
// ALLOW_RETRIES: 1
// RUN: rm -rf %t && mkdir %t
// RUN: %regrain cc -O2 --targets=cpu --alternatives=4 %s -o %t/program
// RUN: %t/program > %t/plain
// RUN: env REGRAIN_NUM_THREADS=1 timeout 120 %regrain tune --survey --budget=2 --db %t/db --json %t/json -- %t/program > %t/out 2> %t/err
// RUN: cmp %t/plain %t/out
// RUN: %python -c "import json,sys; r=json.load(open(sys.argv[1])); print(r['survey'], r['restarts'], 0 < r['surveyed_seconds'] < r['seconds']); large=[c for c in r['classes'] if c['kernel'].startswith('large')]; print(len(large)); m=large[0]['measurements']; print([(x['alternative'], x['weight']) for x in m if x['outcome'] == 'surveyed']); spent=lambda k: sum(x['seconds'] for c in r['classes'] if c['kernel'].startswith(k) for x in c['measurements']); print(len({x['alternative'] for x in m if x['pairs']}) > 2, spent('large') > 3 * spent('small'))" %t/json | FileCheck %s --check-prefix=JSON
// JSON: True 0 True
// JSON-NEXT: 1
// JSON-NEXT: [('original', 12.0)]
// JSON-NEXT: True True

// Classes whose part of the budget is too small for a decision are named, with the reason.
// RUN: FileCheck %s --check-prefix=TABLE < %t/err
// TABLE: not tuned, the original runs:
// TABLE: small {{.*}}: its part of the budget, by what it takes in the program, is too small

// What the tuned run prints beyond the surveyed one follows it.
// RUN: env REGRAIN_NUM_THREADS=1 timeout 120 %regrain tune --survey --budget=1 --db %t/db2 -- sh -c 'echo $$; exec %t/program' > %t/out2 2> %t/err2
// RUN: FileCheck %s --check-prefix=TWICE < %t/err2
// TWICE: regrain tune: warning: the program was started again after the survey, and its output differs from that of the run before; the new output follows

// A program that a signal ends is not started again.
// RUN: bash -c '"$@"; echo code $?' - %regrain tune --survey --db %t/db3 -- sh -c 'echo once; kill -SEGV $$' 2>&1 | FileCheck %s --check-prefix=DIES
// DIES: once
// DIES-NOT: once
// DIES: code 139
#include <cstdio>

__global__ void small(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * 0.5f + 1;
}

__global__ void large(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i < n ? x[i] : 0;
  for (int step = 0; step < 64; ++step)
    value = value * 0.99f + 0.25f;
  if (i < n)
    x[i] = value;
}

int main() {
  constexpr int n = 1 << 16;
  float *x, first = 0;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  for (int block = 1; block <= 40; ++block) // each block size is a class
    small<<<1, block>>>(x, block);
  for (int i = 0; i < 12; ++i)
    large<<<n / 64, 64>>>(x, n);
  cudaMemcpy(&first, x, sizeof(first), cudaMemcpyDeviceToHost);
  std::printf("%g\n", first);
  return cudaFree(x) != cudaSuccess;
}
