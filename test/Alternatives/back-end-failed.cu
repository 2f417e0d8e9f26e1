// An alternative on which a back end fails is dropped, reported and recorded; the program is built.
// RUN: mkdir -p %t.cuda/bin && cp %S/Inputs/ptxas %t.cuda/bin/ptxas
// RUN: echo 'int f() { return 1; }' > %t.c && clang -c %t.c -o %t.code.o
// RUN: env CUDA_PATH=%t.cuda OBJECT=%t.code.o GRAIN_ERROR='Internal error' %regrain cc --targets=sm_90,ptx --alternatives=1 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %regrain inspect --candidates %t.o | FileCheck %s

// If LLVM gives up on the original, this is an error, and does not end the process.
// RUN: not %regrain cc --targets=ptx -DFATAL -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=FATAL

// REMARK: remark: kernel 'last(float*)' is built without {{[a-z0-9.:=]+}}: ptxas fatal : Internal error; to lift this: this is a fault of the compiler
// CHECK: candidate {{[a-z0-9.:=]+}}: kept
// CHECK-NEXT: sm_90, 0 bytes: refused (sm_90): ptxas fatal : Internal error
// CHECK-NEXT: ptx, {{[1-9][0-9]*}} bytes: kept
// FATAL: {{^}}regrain cc: error: LLVM stopped with an internal error: {{.+}}

__global__ void last(float *v) {
  v[3 * threadIdx.x] = v[3 * threadIdx.x + 1] * 2;
#ifdef FATAL
  v[0] = __builtin_powif(v[1], threadIdx.x);
#endif
}
