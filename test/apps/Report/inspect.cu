// RUN: %regrain cc --targets=cpu,ptx --coarsen='*:thread.x=2' -c %s -o %t.o
// RUN: %regrain inspect %t.o | FileCheck %s
// RUN: %regrain inspect --json %t.o | FileCheck %s --check-prefix=JSON

// CHECK: 1 kernel
// CHECK: scale(float*, int)
// CHECK: cpu {{[a-z0-9-]+}} original
// CHECK: cpu {{[a-z0-9-]+}} thread.x=2 {{.*}} chosen
// CHECK: ptx sm_70 original
// CHECK: ptx sm_70 thread.x=2 {{.*}} chosen

// JSON: "schema": "regrain-report"
// JSON: "major": 1
// JSON: "name": "scale(float*, int)"
// JSON: "chosen": "thread.x=2"
// JSON: "registers": null
__global__ void scale(float *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] *= 2;
}
