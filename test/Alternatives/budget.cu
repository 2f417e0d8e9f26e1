// The budget counts what is legal: the barrier in a loop that differs by thread
// refuses grains that coarsen threads; they stand on record.
// RUN: %regrain cc --targets=ptx --alternatives=4 -c %s -o %t.o 2>/dev/null
// RUN: %regrain inspect --candidates %t.o | FileCheck %s
// RUN: %regrain inspect --json %t.o > %t.json
// RUN: %python -c "import json, sys; k = json.load(open(sys.argv[1]))['images'][0]['kernels'][0]; print(len(k['alternatives']), sum(c['outcome'] == 'kept' for c in k['candidates']))" %t.json | FileCheck %s --check-prefix=COUNT

// The same input gives the same bytes, whatever the order in which tasks end.
// RUN: %regrain cc --targets=ptx --alternatives=4 -c %s -o %t2.o 2>/dev/null
// RUN: cmp %t.o %t2.o
// RUN: %regrain cc --targets=ptx --alternatives=1 --record-compile-times -c %s -o %t3.o 2>/dev/null
// RUN: %regrain inspect --candidates %t3.o | FileCheck %s --check-prefix=TIMES

// CHECK: candidate block.x=2: kept
// CHECK-NEXT: ptx, {{[1-9][0-9]*}} bytes: kept
// CHECK: candidate thread.x=2: refused (transform): {{.+}}
// COUNT: 5 4
// TIMES: candidate block.x=2: kept, {{[0-9.e-]+}} s
// TIMES-NEXT: ptx, {{[1-9][0-9]*}} bytes: kept, {{[0-9.e-]+}} s
__global__ void sums(float *out, const float *in, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  for (int k = threadIdx.x; k < n; k += 3) {
    __syncthreads();
    out[i] += in[k];
  }
}
