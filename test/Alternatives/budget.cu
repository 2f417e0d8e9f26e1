// The budget counts the grains that have code: two blocks declare more shared
// memory than a block can have, so that grains of threads fill the budget. The
// control does not count. Failed attempts are recorded.
// RUN: %regrain cc --targets=ptx --alternatives=2 -c %s -o %t.o 2>/dev/null
// RUN: %regrain inspect --candidates %t.o | FileCheck %s
// RUN: %regrain inspect --json %t.o > %t.json
// RUN: %python -c "import json, sys; k = json.load(open(sys.argv[1]))['images'][0]['kernels'][0]; print(len(k['alternatives']), sum(c['outcome'] == 'kept' for c in k['candidates']))" %t.json | FileCheck %s --check-prefix=COUNT

// The same input gives the same bytes, for any order in which tasks end.
// RUN: %regrain cc --targets=ptx --alternatives=2 -c %s -o %t2.o 2>/dev/null
// RUN: cmp %t.o %t2.o
// RUN: %regrain cc --targets=ptx --alternatives=1 --record-compile-times -c %s -o %t3.o 2>/dev/null
// RUN: %regrain inspect --candidates %t3.o | FileCheck %s --check-prefix=TIMES

// CHECK-DAG: candidate block.x=2: refused (limits): a block declares 61440 bytes of shared memory
// CHECK-DAG: candidate thread.x=2:contiguous,for.pointers=8: kept
// COUNT: 4 3
// TIMES: candidate thread.x=4:contiguous,for.pointers=16: kept, {{[0-9.e-]+}} s
// TIMES-NEXT: ptx, {{[1-9][0-9]*}} bytes: kept, {{[0-9.e-]+}} s
__global__ void turn(float *v) {
  __shared__ float tile[7680];
  for (int i = threadIdx.x; i < 7680; i += blockDim.x)
    tile[i] = v[blockIdx.x * 7680 + i];
  __syncthreads();
  for (int i = threadIdx.x; i < 7680; i += blockDim.x)
    v[blockIdx.x * 7680 + i] = tile[7679 - i];
}
