// Beside the grains of a kernel there is a control: the original compiled like a grain, for the tuner's comparisons.
// RUN: mkdir -p %t.cuda/bin && cp %S/Inputs/ptxas %t.cuda/bin/ptxas
// RUN: echo 'int f() { return 1; }' > %t.c && clang -c %t.c -o %t.code.o

// RUN: %regrain cc -O3 --targets=cpu,ptx --alternatives=1 -DMAIN %s -o %t 2>&1 | count 0
// RUN: %regrain inspect --candidates %t | FileCheck %s --check-prefix=BESIDE
// BESIDE: ptx {{.*}} control
// BESIDE: candidate control: kept
// BESIDE-NEXT: cpu, {{[0-9]+}} bytes
// BESIDE-NEXT: ptx, {{[0-9]+}} bytes: kept{{$}}
// BESIDE: candidate thread.x=2{{.*}}: kept
// The control is not a grain: no kernel has it or lacks it.
// RUN: %regrain explain %t | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN-NOT: {{ }}control
// EXPLAIN: (grains: 1 legal, of these 1 kept and 0 pruned; 0 refused)
// RUN: %regrain cc -O3 --targets=ptx --alternatives=1 -Rpass=regrain -Rpass-missed=regrain -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: has other grains beside its original: thread.x=2 [
// It runs if it is requested.
// RUN: env REGRAIN_DEVICE=cpu %t > %t.plain
// RUN: %regrain cc -O3 --targets=cpu --coarsen='*:control' -DMAIN %s -o %t.asked
// RUN: env REGRAIN_VERBOSE=1 %t.asked 2>&1 | FileCheck %s --check-prefix=ASKED
// ASKED: mix(float*): control (chosen when compiled), else original
// RUN: %t.asked | diff %t.plain -

// New spills do not drop it; if its code equals the original's, it is omitted, and alone it has no use.
// RUN: env CUDA_PATH=%t.cuda OBJECT=%t.code.o %regrain cc --targets=sm_90 --alternatives=1 -c %s -o %t.same.o
// RUN: %regrain inspect --candidates %t.same.o | FileCheck %s --check-prefix=SAME
// SAME: candidate control: pruned (duplicate): the same code as original
// RUN: echo 'int g() { return 2; }' > %t.c && clang -c %t.c -o %t.other.o
// RUN: env CUDA_PATH=%t.cuda OBJECT=%t.code.o GRAIN_OBJECT=%t.other.o GRAIN_SPILLS=100 %regrain cc --targets=sm_90 --alternatives=all -c %s -o %t.spills.o
// RUN: %regrain inspect --candidates %t.spills.o | FileCheck %s --check-prefix=SPILLS
// SPILLS: candidate control: kept
// SPILLS-NEXT: sm_90, {{[0-9]+}} bytes: kept{{$}}
// SPILLS: kept (resources): more spills
// RUN: env CUDA_PATH=%t.cuda OBJECT=%t.code.o GRAIN_OBJECT=%t.other.o GRAIN_SPILLS=100 %regrain cc --targets=sm_90 --alternatives=1 -c %s -o %t.alone.o
// RUN: %regrain inspect --candidates %t.alone.o | FileCheck %s --check-prefix=ALONE
// ALONE: candidate control: pruned (control): there is no other alternative to compare it with
// RUN: env CUDA_PATH=%t.cuda OBJECT=%t.code.o GRAIN_ERROR=no %regrain cc --targets=sm_90 --alternatives=1 -c %s -o %t.none.o 2> /dev/null
// RUN: %regrain inspect --candidates %t.none.o | FileCheck %s --check-prefix=NONE
// NONE-NOT: sm_90 {{ *}}control
// NONE: candidate control: refused (sm_90): ptxas fatal : no

// If a grain is chosen, nothing is measured and nothing compared.
// RUN: %regrain cc --targets=ptx --coarsen='*:thread.x=4' --alternatives=1 -c %s -o %t.chosen.o
// RUN: %regrain inspect --candidates %t.chosen.o | FileCheck %s --check-prefix=CHOSEN
// CHOSEN-NOT: candidate control

// RUN: not %regrain cc --targets=ptx --coarsen='*:control,block.x=2' -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: 'control,block.x=2': control cannot be combined with other pieces
#include <cstdio>

// The threads cooperate, on elements that lie apart: the space has only thread factors.
__global__ void mix(float *v) {
  __shared__ float tile[64];
  tile[threadIdx.x] = v[3 * threadIdx.x + 1];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 64; ++i)
    sum = sum * 0.5f + tile[i ^ threadIdx.x];
  __syncthreads();
  v[3 * threadIdx.x] = sum;
}

#ifdef MAIN
int main() {
  float *v, host[192];
  for (int i = 0; i < 192; ++i)
    host[i] = 0.1f * i;
  cudaMalloc(&v, sizeof host);
  cudaMemcpy(v, host, sizeof host, cudaMemcpyHostToDevice);
  mix<<<1, 64>>>(v);
  cudaMemcpy(host, v, sizeof host, cudaMemcpyDeviceToHost);
  for (float value : host)
    std::printf("%a\n", value);
}
#endif
