// A grain passes the program's grid after the kernel's own parameters; all of
// them must fit into the parameters of a launch.
//
// RUN: %regrain cc --targets=ptx --emit=grain --coarsen='*:block.x=2' %s -o %t 2> %t.remarks
// RUN: FileCheck %s < %t.remarks
// RUN: %regrain cc --targets=ptx --emit=grain --coarsen='*:thread.x=2' %s -o %t 2> %t.threads
// RUN: FileCheck %s --check-prefix=THREADS --allow-empty < %t.threads

template <int words> struct Words {
  int value[words];
};

// CHECK-NOT: fits
__global__ void fits(Words<1017> words, int *out) { // 4072 bytes, aligned, and 8
  out[blockIdx.x] = words.value[blockIdx.x];
}

// CHECK: kernel 'full(Words<1021>, int*)' is built without block.x=2: with the parameters that the grain adds the kernel has 4108 bytes of them, and a launch can pass 4096
// THREADS-NOT: full
__global__ void full(Words<1021> words, int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = words.value[blockIdx.x]; }
