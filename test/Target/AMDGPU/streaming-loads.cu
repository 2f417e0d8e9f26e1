// loads=streaming and its siblings are one hint of AMD GPUs, for loads of data that the launch loads once.
// RUN: %regrain cc -O3 --targets=gfx90a --coarsen='*:loads=streaming' --emit=hsaco -o %t.gfx90a %s
// RUN: llvm-objdump -d %t.gfx90a | FileCheck %s

__global__ void scale(float *out, const float *data, const float *factors, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = data[i] * factors[i % 7];
}

// CHECK: scale{{.*}}grain_loadsstreaming
// CHECK-DAG: global_load_dword {{.*}} glc slc
// CHECK-DAG: global_load_dword {{v[0-9]+, .*}}, off //
