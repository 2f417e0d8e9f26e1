// The assembler's report decides: the figures come from a stand-in for it.
// RUN: mkdir -p %t.cuda/bin && cp %S/Inputs/ptxas %t.cuda/bin/ptxas
// RUN: echo 'int f() { return 1; }' > %t.c && clang -c %t.c -o %t.code.o

// Grains with few resident threads are pruned if the copies do not make up for them.
// RUN: env CUDA_PATH=%t.cuda OBJECT=%t.code.o GRAIN_REGISTERS=255 %regrain cc --nvcc=none --targets=sm_90 --alternatives=3 -c %s -o %t.o 2>&1 | count 0
// RUN: %regrain inspect --candidates %t.o | FileCheck %s --check-prefix=COLLAPSE
// COLLAPSE-NOT: sm_90 {{ *}}thread.x=2
// COLLAPSE: sm_90 {{ *}}thread.x=8
// COLLAPSE: candidate thread.x=2: pruned (resources): low occupancy: 12%, the original has 100%
// COLLAPSE-NEXT: sm_90, {{[1-9][0-9]*}} bytes: pruned (resources): low occupancy
// COLLAPSE: candidate thread.x=8: kept
// COLLAPSE-NEXT: sm_90, {{[1-9][0-9]*}} bytes: kept{{$}}
// RUN: %regrain explain %t.o | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: thread.x: 2 grains pruned: thread.x=2, thread.x=4
// EXPLAIN-NEXT: thread.x=2 for sm_90: low occupancy: 12%, the original has 100%
// EXPLAIN-NEXT: thread.x=4 for sm_90: low occupancy
// EXPLAIN-NEXT: to keep them: --alternatives=all, or name one with --coarsen
// EXPLAIN: 1 kernel: 1 with grains tried, 1 with a legal regrouping, 1 with a regrouping in the image (grains: 3 legal, of these 1 kept and 2 pruned; 0 refused)
// RUN: %regrain explain --json %t.o | FileCheck %s --check-prefix=JSON
// JSON: "state": "pruned"
// JSON: "stage": "resources"

// All grains are kept if all are requested, with the reasons against them.
// RUN: env CUDA_PATH=%t.cuda OBJECT=%t.code.o GRAIN_SPILLS=100 %regrain cc --nvcc=none --targets=sm_90 --alternatives=all -c %s -o %t.all.o 2>&1 | count 0
// RUN: %regrain inspect --candidates %t.all.o | FileCheck %s --check-prefix=ALL
// ALL: sm_90 {{ *}}thread.x=2
// ALL: candidate thread.x=2: kept
// ALL-NEXT: sm_90, {{[1-9][0-9]*}} bytes: kept (resources): more spills: 200 bytes per launched thread, the original has 0

// A grain that --coarsen names is kept and reported.
// RUN: env CUDA_PATH=%t.cuda OBJECT=%t.code.o GRAIN_REGISTERS=255 %regrain cc --nvcc=none --targets=sm_90 --coarsen='*:thread.x=2' -c %s -o %t.asked.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %regrain inspect %t.asked.o | FileCheck %s --check-prefix=ASKED
// REMARK: collapse.cu:[[#@LINE+4]]:{{.*}}remark: kernel 'last(float*)' at thread.x=2 for sm_90: low occupancy
// ASKED: sm_90 {{ *}}thread.x=2 {{.*}}chosen

// The threads cooperate, on elements that lie apart and that two of them load: the space has only thread factors.
__global__ void last(float *v) {
  float x = v[3 * threadIdx.x + 1] + v[3 * threadIdx.x + 4];
  __syncthreads();
  v[3 * threadIdx.x] = x * 2;
}
