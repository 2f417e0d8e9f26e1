// The hash by which the tuner identifies a kernel is the same wherever its file
// is, whatever surrounds it, and for any targets.
// RUN: rm -rf %t && mkdir -p %t/other
// RUN: %regrain cc --targets=ptx -c %s -o %t/a.o
// RUN: sed -e '/^.. MORE/r %S/Inputs/more-kernels.cu' %s > %t/other/moved.cu
// RUN: %regrain cc --targets=cpu,compute_90 --alternatives=2 -c %t/other/moved.cu -o %t/b.o
// RUN: %regrain inspect --json %t/a.o > %t/a.json
// RUN: %regrain inspect --json %t/b.o > %t/b.json
// RUN: %python %S/Inputs/same-hash.py %t/a.json %t/b.json scale | FileCheck %s
// RUN: FileCheck %s --check-prefix=BESIDE < %t/b.json
// RUN: %regrain inspect %t/a.o | FileCheck %s --check-prefix=TEXT

// CHECK: scale(float*, int): [[HASH:[0-9a-f]{32}]] [[HASH]]
// BESIDE: "name": "fill(float*)"
// TEXT: scale(float*, int)  [{{.*}}inspect-hash.cu:{{[0-9]+}}]  hash {{[0-9a-f]{8}$}}

// MORE
__global__ void scale(float *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] *= 2;
}
