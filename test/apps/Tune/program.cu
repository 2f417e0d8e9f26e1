// This is a program with the runtime in it, from tuning to built-in choices.
// RUN: rm -rf %t && mkdir %t
// RUN: %regrain cc -O2 --targets=cpu --alternatives=3 %s -o %t/program
// RUN: %t/program > %t/plain
// RUN: env REGRAIN_NUM_THREADS=1 %regrain tune --budget=2 --db %t/db -o %t/choices --json %t/json -- %t/program > %t/out 2> %t/err
// RUN: cmp %t/plain %t/out
// RUN: FileCheck %s --check-prefix=TABLE < %t/err
// TABLE: regrain tune: 1 kernel, 1 class of launches
// TABLE-NEXT: kernel {{.*}} original us {{.*}} verdict
// TABLE-NEXT: {{^}}  square  64 waves={{[0-9]+}} {{.*}} bitwise, {{[0-9]+ launch(es)?}}, {{.*(faster|kept the original)}}
// TABLE-NEXT: not tuned, the original runs:
// TABLE-NEXT: {{^}}  shared 64 {{.*}}: {{.+}}
// TABLE-NOT: {{.}}

// Every candidate, and the control, runs at every sampled launch, and within the budget.
// RUN: %python -c "import json,sys; r=json.load(open(sys.argv[1])); m=r['classes'][0]['measurements']; print(len({x['alternative'] for x in m}), m[0]['launch'], sum(x['seconds'] for x in m) < 4)" %t/json | FileCheck %s --check-prefix=JSON
// JSON: 4 0 True

// The next run uses the choices, and reports that; the file can be built in.
// RUN: env REGRAIN_NUM_THREADS=1 REGRAIN_DB=%t/db REGRAIN_VERBOSE=1 %t/program 2>&1 | FileCheck %s --check-prefix=USES
// USES: regrain: square(float*, int): {{.*}} for block=64x1x1,{{.*}} (tuned)

// A choice holds for the code that was measured, on the same number of multiprocessors.
// RUN: env REGRAIN_NUM_THREADS=2 REGRAIN_DB=%t/db REGRAIN_VERBOSE=1 %t/program 2>&1 | FileCheck %s --check-prefix=STALE
// RUN: %regrain cc -G --targets=cpu --alternatives=3 %s -o %t/debugged
// RUN: env REGRAIN_NUM_THREADS=1 REGRAIN_DB=%t/db REGRAIN_VERBOSE=1 %t/debugged 2>&1 | FileCheck %s --check-prefix=STALE
// STALE: regrain: the tuned choices for square(float*, int) are not used: its code, the way it is generated, the compiler, the driver or the device has changed; 'regrain tune' measures again
// STALE-NOT: (tuned)

// RUN: FileCheck %s --check-prefix=CHOICES < %t/choices
// CHOICES: "name": "square(float*, int)"
// CHOICES: "class": "block=64x1x1,
// CHOICES: "launch": "for.block=64x1x1,for.arg1=16384"

// The length is in a variable, but the next build may have grains for it. They run where it is the one that was seen.
// RUN: %regrain cc -O2 --targets=cpu --alternatives=4 --specialise --launches=%t/choices %s -o %t/again
// RUN: env REGRAIN_ALTERNATIVE='square*:for.block=64x1x1,for.arg1=16384' REGRAIN_VERBOSE=1 %t/again 2> %t/seen > %t/out
// RUN: cmp %t/plain %t/out
// RUN: FileCheck %s --check-prefix=SEEN --implicit-check-not="does not run" < %t/seen
// SEEN: square(float*, int): for.block=64x1x1,for.arg1=16384
// RUN: env REGRAIN_ALTERNATIVE='square*:for.block=64x1x1,for.arg1=16384' REGRAIN_VERBOSE=1 %t/again longer 2>&1 | FileCheck %s --check-prefix=LONGER
// LONGER: does not run for this launch, because the grain is compiled for another value of an argument (for.arg)
#include <cstdio>

__global__ void square(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * x[i] + 0.25f;
}

__global__ void shared(float *x, float *onHost) {
  onHost[threadIdx.x] = x[threadIdx.x];
}

int main(int argc, char **) {
  const int n = argc << 14;
  float *x, *onHost;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  for (int i = 0; i < 9; ++i)
    square<<<n / 64, 64>>>(x, n);
  cudaMallocHost(&onHost, 64 * sizeof(float));
  shared<<<1, 64>>>(x, onHost);
  cudaDeviceSynchronize();
  std::printf("%a\n", onHost[5]);
}
