// What a target cannot support is reported at its line for that target; the others are built on request.
//
// REQUIRES: rocm-device-libs
// RUN: not %regrain cc --targets=gfx90x -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not %regrain cc --offload-arch=gfx906 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: rm -f %t.o
// RUN: not %regrain cc --targets=cpu,ptx,gfx90a,gfx1030 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not ls %t.o
// RUN: %regrain cc --keep-going --targets=cpu,ptx,gfx90a -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REST
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=BUILT
// RUN: not %regrain cc --targets=gfx90a -mcode-object-version=3 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: not env HIP_DEVICE_LIB_PATH=%t.none %regrain cc --targets=gfx90a -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=FOLDER

// NAME: 'gfx90x' is not a known AMD GPU; known are gfx90a, gfx942, gfx1030, gfx1100
// OTHER: 'gfx906' is not a known AMD GPU; known are gfx90a
// VERSION: option '-mcode-object-version=3': expected 4 or 5
// A folder that is given is the only one that is searched.
// FOLDER: error: no device libraries for AMD GPUs: ocml.bc is not in {{[^ ,]*}}.none (Debian: the package rocm-device-libs)

// LARGE-DAG: {{.*}}errors.cu:[[@LINE+8]]:1: error: cpu: no code for kernel 'large(float*)'
// LARGE-DAG: {{.*}}errors.cu:[[@LINE+7]]:1: error: ptx: no code for kernel 'large(float*)': its blocks declare 66560 bytes of shared memory, and no more than 49152 can be declared
// LARGE-DAG: {{.*}}errors.cu:[[@LINE+6]]:1: error: gfx90a: no code for kernel 'large(float*)': its blocks declare 66560 bytes of shared memory, and no more than 65536 can be declared
// LARGE-DAG: {{.*}}errors.cu:[[@LINE+5]]:1: error: gfx1030: no code for kernel 'large(float*)'
// LARGE: error: 4 kernels have no code for a target that was named; --keep-going builds the others
// REST-DAG: {{.*}}errors.cu:[[@LINE+3]]:1: warning: cpu: no code for kernel 'large(float*)'
// REST-DAG: {{.*}}errors.cu:[[@LINE+2]]:1: warning: ptx: no code for kernel 'large(float*)'
// REST-DAG: {{.*}}errors.cu:[[@LINE+1]]:1: warning: gfx90a: no code for kernel 'large(float*)'
__global__ void large(float *p) {
  __shared__ float tile[65 * 256];
  tile[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = tile[threadIdx.x * 64 + threadIdx.x];
}

// BUILT: large(float*)
// BUILT: cpu x86-64-v3 original {{.*}} no code
// BUILT: gfx90a original {{.*}} no code
// BUILT: small(float*)
// BUILT: gfx90a original {{[0-9]+}}
__global__ void small(float *p) { p[threadIdx.x] += 1; }
