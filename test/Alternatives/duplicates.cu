// Grains that are launched alike and have the same code are one alternative.
// RUN: %regrain cc --targets=ptx --coarsen='*:thread.x=2' --coarsen='*:thread.x=2:contiguous' -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %regrain inspect --candidates %t.o | FileCheck %s --check-prefix=ASKED

// REMARK: duplicates.cu:[[#@LINE+7]]:{{.*}}remark: kernel 'count(unsigned int*)' at thread.x=2:contiguous for ptx: the same code as thread.x=2
// REMARK-NOT: {{remark|warning|error}}
// ASKED: candidate thread.x=2: kept
// ASKED-NEXT: ptx, {{[1-9][0-9]*}} bytes: kept{{$}}
// ASKED: candidate thread.x=2:contiguous: kept
// ASKED-NEXT: ptx, {{[1-9][0-9]*}} bytes: kept (duplicate): the same code as thread.x=2

__global__ void count(unsigned *v) { atomicAdd(v, 1); }
