// Variants that the source offers are compared with the original: those that differ are excluded, and those that may round
// otherwise are held to the distance that the source states.
// RUN: rm -rf %t && mkdir %t
// RUN: %regrain cc -O3 --targets=cpu --alternatives=1 %s -o %t/program
// RUN: %regrain tune --budget=10 --db %t/db -o %t/choices --json %t/json -- %t/program 2>&1 | FileCheck %s
// CHECK-DAG: at variant=sum<64,4>: differs from the original's result at byte
// CHECK-DAG: at variant=wrong: differs from the original's result at byte {{[0-9]+}} of {{[0-9]+}} of an allocation (argument 1) by {{[0-9]+}} ulps, where 64 are allowed
// RUN: FileCheck %s --check-prefix=TIMED < %t/json
// TIMED: "alternative": "variant=sum<64,1>"
// TIMED-NOT: "variant=sum<64,4>"{{[^}]*}}"outcome": "timed"

// The file of choices holds for these variants, and for what the source says of them.
// RUN: %python -c "import json,sys; c=json.load(open(sys.argv[1])); k=c['kernels'][0]; k['alternatives']=[sys.argv[2]]; k['chosen']=sys.argv[2]; [e.update(alternative=sys.argv[2]) for e in k['classes']]; json.dump(c, open(sys.argv[1],'w'))" %t/choices 'variant=sum<64,1>'
// RUN: %regrain cc -O3 --targets=cpu --choose=%t/choices %s -o %t/chosen
// RUN: env REGRAIN_VERBOSE=1 %t/chosen 2>&1 | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: variant=sum<64,1> for block=1x1x1
// RUN: %regrain cc -O3 --targets=cpu --choose=%t/choices -DROUNDS %s -o %t/other 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: warning: {{.*}} was measured on another version of kernel 'void sum<1, 1>(float const*, float*, int)'
#include <cstdio>
#include <regrain/variants.h>

constexpr int rows = 512, columns = 200;

template <int Threads, int Parts> __global__ void sum(const float *in, float *out, int n) {
  int row = blockIdx.x * Threads + threadIdx.x;
  float parts[Parts] = {};
  for (int i = 0; i < n; i += Parts)
    for (int part = 0; part < Parts; ++part)
      parts[part] += in[(i + part) * rows + row];
  for (int part = 1; part < Parts; ++part)
    parts[0] += parts[part];
  out[row] = parts[0];
}

__global__ void wrong(const float *in, float *out, int n) {
  out[blockIdx.x] = in[blockIdx.x] * float(n);
}

template <int Threads, int Parts>
constexpr regrain::launch fewer(regrain::launch given, const float *, float *, int n) {
  return {dim3(given.grid.x * given.block.x / Threads), dim3(Threads), 0};
}

#ifdef ROUNDS
REGRAIN_VARIANTS_WITHIN(64, sum, fewer, (1, 1), (64, 2));
#else
REGRAIN_VARIANTS(sum, fewer, (1, 1), (64, 1), (64, 4));
REGRAIN_VARIANT_WITHIN(64, (sum<1, 1>), wrong, (fewer<1, 1>));
#endif

int main() {
  static float values[rows * columns];
  for (int i = 0; i < rows * columns; ++i)
    values[i] = 1.0f / float(i % 77 + 1);
  float *in, *out;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&out, rows * sizeof(float));
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  for (int i = 0; i < 12; ++i)
    sum<1, 1><<<rows, 1>>>(in, out, columns);
  cudaDeviceSynchronize();
}
