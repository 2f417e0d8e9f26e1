// An alternative whose compile takes too long is dropped and recorded; the program is built.
// RUN: mkdir -p %t.cuda/bin && cp %S/Inputs/ptxas %t.cuda/bin/ptxas
// RUN: echo 'int f() { return 1; }' > %t.c && clang -c %t.c -o %t.code.o
// RUN: env CUDA_PATH=%t.cuda OBJECT=%t.code.o GRAIN_SECONDS=100 %regrain cc --targets=sm_90 --alternatives=1 --alternative-timeout=1 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %regrain inspect --candidates %t.o | FileCheck %s
// RUN: not %regrain cc --alternative-timeout=soon -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=BAD

// CHECK: sm_90 {{ *}}original
// CHECK-NOT: sm_90 {{ *}}thread.x=2
// CHECK: refused thread.x=2 ({{transform|sm_90}}): compiling it took more processor time than the limit of 1 s
// CHECK: candidate thread.x=2: timed-out ({{transform|sm_90}}): compiling it took more processor time than the limit of 1 s
// REMARK: timeout.cu:[[#@LINE+4]]:{{.*}}remark: kernel 'last(float*)' is not coarsened, fused or reshaped: compiling it took more processor time than the limit of 1 s
// BAD: error: option '--alternative-timeout=soon'

// The threads cooperate, on elements that lie apart: the space has only thread factors.
__global__ void last(float *v) {
  float x = v[3 * threadIdx.x + 1];
  __syncthreads();
  v[3 * threadIdx.x] = x * 2;
}
