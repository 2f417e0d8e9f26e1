// REQUIRES: rocm-device-libs
// A program with code for AMD GPUs, on a machine without one, gets one line
// with the reason, an error that it sees, and without REGRAIN_DEVICE the CPU.
// RUN: %regrain cc -O1 --targets=cpu,gfx90a %s -o %t
// RUN: env REGRAIN_DEVICE=hip HIP_VISIBLE_DEVICES=-1 not %t > %t.out 2> %t.err
// RUN: FileCheck %s < %t.out
// CHECK: cudaErrorNoDevice
// RUN: FileCheck %s --check-prefix=WHY --implicit-check-not={{.}} < %t.err
// WHY: {{^}}regrain: no usable device (hip: {{the HIP library cannot be loaded: .*|libamdhip64\.so.* sees no AMD GPU}}){{$}}
// RUN: env -u REGRAIN_DEVICE -u HIP_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES= %t 2>&1 | FileCheck %s --check-prefix=CPU
// CPU-DAG: regrain: running on the CPU (cuda: the program has no code for NVIDIA GPUs; hip: CUDA_VISIBLE_DEVICES is empty)
// CPU-DAG: 42
//
// Without code for AMD GPUs, the library is not searched for.
// RUN: %regrain cc -O1 --targets=cpu %s -o %t.cpu
// RUN: env REGRAIN_DEVICE=hip LD_DEBUG=libs not %t.cpu 2>&1 | FileCheck %s --check-prefix=NOCODE --implicit-check-not=amdhip64
// NOCODE: regrain: no usable device (hip: the program has no code for AMD GPUs)
// RUN: env -u REGRAIN_DEVICE LD_DEBUG=libs %t.cpu 2>&1 | FileCheck %s --check-prefix=OTHERS --implicit-check-not=amdhip64
// OTHERS: regrain: running on the CPU (cuda: {{.*}}; hip: the program has no code for AMD GPUs)
#include <cstdio>

__global__ void answer(int *out) { *out = 42; }

int main() {
  int *out = nullptr;
  cudaError_t status = cudaMallocManaged(&out, sizeof(int));
  if (status != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorName(status));
    return 1;
  }
  answer<<<1, 1>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  std::printf("%d\n", *out);
}
