// What prevents nvcc's code is said: a source that it does not compile, targets that cannot contain it, no nvcc.
// REQUIRES: ptxas, nvcc
// RUN: %regrain cc -O3 --targets=sm_90 --coarsen='*:compiler=nvcc' -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=SOURCE
// RUN: %regrain cc -O3 --targets=cpu,ptx --coarsen='*:compiler=nvcc' -c -o %t.o -DBOTH %s 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: %regrain cc -O3 --targets=sm_90 --nvcc=none --coarsen='*:compiler=nvcc' -c -o %t.o -DBOTH %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %regrain cc --targets=sm_90 --nvcc=%t.missing -c -o %t.o -DBOTH %s 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: %regrain cc -O3 --targets=sm_90 --coarsen='*:compiler=nvcc' -funsigned-char -c -o %t.o -DBOTH %s 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: %regrain cc -O3 --targets=sm_90 --coarsen='*:compiler=nvcc' -rdc=true -shared -Xcompiler -fPIC -o %t.so -DBOTH %s 2>&1 | FileCheck %s --check-prefix=RDC
// RUN: %regrain cc -O3 --targets=sm_90 --alternatives=1 -c -o %t.o -DBOTH %s && %regrain inspect --candidates %t.o | FileCheck %s --check-prefix=PROPOSED
// RUN: %regrain cc -O3 --targets=sm_90 --alternatives=1 --nvcc=none -c -o %t.o -DBOTH %s && %regrain inspect --candidates %t.o | FileCheck %s --check-prefix=NOT-PROPOSED
// RUN: env NVCC_APPEND_FLAGS=--alternatives=1 %regrain cc -O3 --targets=sm_90 -c -o %t.o -DBOTH %s && %regrain inspect --candidates %t.o | FileCheck %s --check-prefix=PROPOSED
#if !defined(BOTH) && !defined(__clang__)
#error this compiler is not known
#endif

__global__ void scale(float *x, unsigned n) {
  unsigned i = threadIdx.x;
  if (i < n)
    x[i] *= 2;
}

// SOURCE: scale(float*, unsigned int)' is built without compiler=nvcc: nvcc does not compile the source: {{.*}}error{{.*}}this compiler is not known
// TARGET: scale(float*, unsigned int)' is built without compiler=nvcc: only machine code for NVIDIA's GPUs can contain the code of nvcc
// NONE: scale(float*, unsigned int)' is built without compiler=nvcc: there is no nvcc; set CUDA_PATH to a CUDA toolkit
// LAYOUT: is built without compiler=nvcc: nvcc has no option -funsigned-char
// RDC: is built without compiler=nvcc: relocatable device code is compiled from objects, without its source
// MISSING: option '--nvcc={{.*}}.missing': this is no program
// PROPOSED: candidate compiler=nvcc: pruned (duplicate): the same code as original
// NOT-PROPOSED-NOT: compiler=nvcc
