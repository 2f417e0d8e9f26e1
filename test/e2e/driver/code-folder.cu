// The CPU device writes the code that it loads into a folder, where profilers find the symbols later.
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' %s -o %t
// RUN: env REGRAIN_CODE_DIR=%t.dir %t | FileCheck %s
// RUN: bash -c 'ls %t.dir/regrain-*-*.so && nm %t.dir/*.so' | FileCheck %s --check-prefix=NAMES
// RUN: bash -c 'cd %t.dir && REGRAIN_CODE_DIR=. %t' | FileCheck %s
// RUN: env REGRAIN_CODE_DIR=%t.dir/none REGRAIN_DEVICE=cpu %t 2>&1 | FileCheck %s --check-prefixes=NONE,CHECK
// NAMES-DAG: t {{.*}}twice{{.*}}__grain_block_x2.run
// NAMES-DAG: t {{.*}}twicePi.run
// NONE: regrain: REGRAIN_CODE_DIR: cannot write {{.*}}.dir/none/regrain-{{[0-9]+}}-0.so: No such file or directory; profilers see no names
// CHECK: 42
#include <cstdio>
__global__ void twice(int *value) { *value *= 2; }
int main() {
  int *value, result = 21;
  cudaMalloc(&value, sizeof result);
  cudaMemcpy(value, &result, sizeof result, cudaMemcpyHostToDevice);
  twice<<<1, 1>>>(value);
  cudaMemcpy(&result, value, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
}
