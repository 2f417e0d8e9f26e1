// The command explains each kernel, from the source or from a built file.
// RUN: %regrain explain --alternatives=6 %s 2>&1 | FileCheck %s --match-full-lines --check-prefixes=CHECK,PLAN
// RUN: %regrain explain --json %s > %t.json
// RUN: %python -c "import json; e = json.load(open(r'%t.json')); k = e['files'][0]['kernels']; print(e['schema'], [(x['name'].split('(')[0], x['raised']) for x in k], e['summary']['kernels'], e['summary']['legal'], e['summary']['kept'])" | FileCheck %s --check-prefix=JSON
// RUN: %regrain cc --targets=ptx --alternatives=6 -c %s -o %t.o 2> %t.err
// RUN: %regrain explain %t.o | FileCheck %s --match-full-lines --check-prefixes=CHECK,BUILT
// With targets the back ends run, too, and the files are counted together.
// RUN: %regrain explain --targets=ptx --alternatives=6 %s %t.o | tail -1 | FileCheck %s --check-prefix=TWO

// Without --alternatives 24 grains are tried.
// JSON: regrain-explanation [('scale', True), ('divergent', True), ('calls', False)] 3 24 0
// TWO: 6 kernels: 4 with grains tried, 2 with a legal regrouping, 2 with a regrouping in the image (grains: 22 legal, of these 18 kept and 4 pruned; 38 refused)

// CHECK: scale(float*, int) [{{.*}}explain.cu:[[#@LINE+13]]]: grains were tried
// PLAN-NEXT: {{.*}}: 6 grains legal: {{.*}}
// BUILT-NEXT: {{.*}}: 6 grains kept: {{.*}}
// CHECK: divergent(int*) [{{.*}}explain.cu:[[#@LINE+15]]]: grains were tried
// BUILT-NEXT: addresses, unroll: 3 grains kept: addresses=indexed, addresses=wide, unroll=none
// BUILT-NEXT: unroll: 2 grains pruned: unroll=4, unroll=8
// BUILT-NEXT: unroll=4 for ptx: the same code as control
// BUILT-NEXT: unroll=8 for ptx: the same code as control
// BUILT-NEXT: to keep them: --alternatives=all, or name one with --coarsen
// BUILT-NEXT: thread.x:contiguous+for.pointers, thread.x:contiguous, thread.x, thread.x+addresses, thread.x+unroll: 19 grains refused (transform)
// PLAN-NEXT: thread.x:contiguous, thread.x: 6 grains refused (transform)
// CHECK-NEXT: {{.*}}explain.cu:[[#@LINE+8]]:{{[0-9]+}}: a barrier is in a loop whose trip count may differ between the threads of a block
// CHECK-NEXT: to lift this: make the condition or the loop's end depend only on blockIdx, blockDim and kernel parameters, or move the barrier out of it
__global__ void scale(float *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] *= 2;
}
__global__ void divergent(int *v) {
  for (int i = 0; i < v[threadIdx.x]; ++i) {
    v[threadIdx.x + i] = 1;
    __syncthreads();
  }
}

// CHECK: calls(int*, int (*)(int)) [{{.*}}explain.cu:[[#@LINE+5]]]: no grain is possible, only the original is built
// CHECK-NEXT: {{.*}}explain.cu:[[#@LINE+5]]:{{[0-9]+}}: it calls a virtual function or a function through a pointer
// CHECK-NEXT: to lift this: call the function by its name; if there are several, select one by a switch or a template parameter
// PLAN: 3 kernels: 2 with grains tried, 1 with a legal regrouping, 0 with a regrouping in the image (grains: 6 legal, of these 0 kept and 0 pruned; 6 refused)
// BUILT: 3 kernels: 2 with grains tried, 1 with a legal regrouping, 1 with a regrouping in the image (grains: 11 legal, of these 9 kept and 2 pruned; 19 refused)
__global__ void calls(int *v, int (*f)(int)) {
  v[threadIdx.x] = f(3);
}
