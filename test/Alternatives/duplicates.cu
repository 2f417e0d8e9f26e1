// Grains that have the same launch and the same code are one alternative.
// RUN: %regrain cc --targets=ptx --coarsen='*:thread.x=2' --coarsen='*:thread.x=2:contiguous' -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %regrain inspect --candidates %t.o | FileCheck %s --check-prefix=ASKED

// REMARK: duplicates.cu:[[#@LINE+18]]:{{.*}}remark: kernel 'count(unsigned int*)' at thread.x=2:contiguous for ptx: the same code as thread.x=2
// REMARK-NOT: {{remark|warning|error}}
// ASKED: candidate thread.x=2: kept
// ASKED-NEXT: ptx, {{[1-9][0-9]*}} bytes: kept{{$}}
// ASKED: candidate thread.x=2:contiguous: kept
// ASKED-NEXT: ptx, {{[1-9][0-9]*}} bytes: kept (duplicate): the same code as thread.x=2

// In the space, a duplicate is pruned. A stand-in for the assembler gives all grains the same code.
// RUN: mkdir -p %t.cuda/bin && cp %S/Inputs/ptxas %t.cuda/bin/ptxas
// RUN: echo 'int f() { return 1; }' > %t.c && clang -c %t.c -o %t.code.o
// RUN: env CUDA_PATH=%t.cuda OBJECT=%t.code.o %regrain cc --targets=sm_90 --alternatives=16 -DSPACE -c %s -o %t.space.o 2>&1 | count 0
// RUN: %regrain inspect --candidates %t.space.o | FileCheck %s --check-prefix=SPACE
// SPACE-NOT: sm_90 {{ *}}thread.x=2{{( |$)}}
// SPACE: candidate thread.x=2:contiguous: kept
// SPACE: candidate thread.x=2: pruned (duplicate): the same code as thread.x=2:contiguous
#ifdef SPACE
__global__ void next(float *a, const float *b) { a[threadIdx.x] = b[threadIdx.x + 1]; }
#else
__global__ void count(unsigned *v) { atomicAdd(v, 1); }
#endif
