// Refusals of --alternatives are reported if -Rpass-missed asks for them, in one remark for each reason.
// RUN: %regrain cc --targets=ptx --alternatives=6 -Rpass-missed=regrain -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=MISSED
// MISSED-NOT: : remark:
// MISSED: remarks.cu:[[#LOOP:]]:{{[0-9]+}}: remark: kernel 'divergent(int*)' is built without {{.+, .+}}: a barrier is in a loop whose trip count may differ between the threads of a block; to lift this: make the condition or the loop's end {{.*}} [-Rpass-missed=regrain]
// MISSED: remark: kernel 'divergent(int*)': unroll=4 for ptx is pruned: the same code as control [-Rpass-missed=regrain]
// MISSED: remark: kernel 'divergent(int*)': unroll=8 for ptx is pruned: the same code as control [-Rpass-missed=regrain]
// MISSED-NOT: : remark:

// Otherwise only a kernel without any legal grain is reported, in one line.
// RUN: %regrain cc --targets=ptx --alternatives=6 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=QUIET
// QUIET-NOT: : remark:
// QUIET: remark: kernel 'divergent(int*)' is not coarsened, fused or reshaped: a barrier is in a loop whose trip count may differ between the threads of a block (-Rpass-missed=regrain lists all reasons)
// QUIET-NOT: : remark:

// A grain that --coarsen names is always reported.
// RUN: %regrain cc --targets=ptx --coarsen='divergent:thread.x=2' -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ASKED
// ASKED: remark: kernel 'divergent(int*)' is built without thread.x=2: a barrier {{.*}}; to lift this:
// ASKED-NOT: : remark:

// RUN: %regrain cc --targets=ptx --alternatives=2 -Rpass='re.*n' -Rpass-analysis=regrain -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PASSED
// PASSED: remarks.cu:[[#]]:1: remark: kernel 'scale(float*, int)' has other grains beside its original: {{[^ ]+, [^ ]+}} [-Rpass=regrain]
// PASSED: remark: kernel 'scale(float*, int)' at {{[^ ]+}} for ptx: 0 bytes of shared memory [-Rpass-analysis=regrain]
// RUN: not %regrain cc '-Rpass=(' -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REGEX
// REGEX: error: option '-Rpass=(': parentheses not balanced

// A YAML reader and LLVM's own reader read the record.
// RUN: rm -f %t.opt.yaml %t.named.yaml
// RUN: %regrain cc --targets=ptx --alternatives=2 -fsave-optimization-record -c %s -o %t.o 2> %t.err
// RUN: %python %S/Inputs/read_record.py %t.opt.yaml | FileCheck %s --check-prefix=RECORD
// RUN: %regrain cc --targets=ptx --alternatives=2 -foptimization-record-file=%t.named.yaml -c %s -o %t.o 2> %t.err
// RUN: cmp %t.opt.yaml %t.named.yaml
// RUN: llvm-remarkutil count %t.opt.yaml --parser=yaml --group-by=function | FileCheck %s --check-prefix=COUNT
// RECORD: Passed Coarsened _Z5scalePfi line
// RECORD: Analysis Resources _Z5scalePfi line
// RECORD: Missed DivergentBarrier _Z9divergentPi line
// RECORD-SAME: to lift this:
// COUNT: _Z9divergentPi

// A glob that matches no kernel is a warning, unless the file has no kernel: flags reach every file of a Makefile.
// RUN: %regrain cc --targets=ptx --coarsen='other:thread.x=2' -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=GLOB
// GLOB: warning: {{.*}}--coarsen=other:thread.x=2 matches no kernel of this file
// RUN: not %regrain cc -Werror --targets=ptx --coarsen='other:thread.x=2' -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: {{.*}}--coarsen=other:thread.x=2 matches no kernel of this file [-Werror]
// RUN: %regrain cc -Werror -Wno-error --targets=ptx --coarsen='other:thread.x=2' -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=GLOB
// RUN: echo 'int f() { return 1; }' > %t.none.cu
// RUN: %regrain cc --targets=ptx --coarsen='*:thread.x=2' -c %t.none.cu -o %t.o 2>&1 | count 0
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
