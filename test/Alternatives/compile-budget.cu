// The alternatives of a kernel share a number of instructions that the assembler gets: as many for
// each of N as the original has. What does not fit is pruned before the assembler, and recorded;
// then what is left may go to smaller grains. The same is dropped in every build.
// RUN: mkdir -p %t.cuda/bin && cp %S/Inputs/ptxas %t.cuda/bin/ptxas
// RUN: echo 'int f() { return 1; }' > %t.c && clang -c %t.c -o %t.code.o
// RUN: env CUDA_PATH=%t.cuda OBJECT=%t.code.o %regrain cc --targets=sm_90 --alternatives=5 -Rpass-missed=regrain -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %regrain inspect --candidates %t.o | FileCheck %s
// RUN: env CUDA_PATH=%t.cuda OBJECT=%t.code.o %regrain cc --targets=sm_90 --alternatives=5 -c %s -o %t.again.o
// RUN: cmp %t.o %t.again.o
// RUN: env CUDA_PATH=%t.cuda OBJECT=%t.code.o %regrain cc --targets=sm_90 --alternatives=all -c %s -o %t.all.o
// RUN: %regrain inspect --candidates %t.all.o | FileCheck %s --check-prefix=ALL --implicit-check-not="compile budget"

// CHECK: candidate block.x=2: {{kept|pruned .duplicate}}
// CHECK: candidate block.x=4: pruned (size): compile budget: [[#SIZE:]] instructions, and {{[0-9]+}} are left of the [[#LIMIT:]] of all
// CHECK-NEXT: sm_90, 0 bytes: pruned (size)
// CHECK: pruned (size): compile budget: earlier grains have taken the [[#LIMIT]] instructions of all
// REMARK: compile-budget.cu:[[#@LINE+6]]:{{.*}}remark: kernel 'chain(float*)': block.x=4 for sm_90 is pruned: compile budget: {{[0-9]+}} instructions
// ALL: candidate block.x=4: {{kept|pruned .duplicate}}

#define TEN(text) text text text text text text text text text text

// A block of known size whose threads cooperate: the space has only block factors.
__global__ void __launch_bounds__(256) chain(float *v) {
  float x = v[blockIdx.x];
  __syncthreads();
  asm volatile(TEN(TEN(TEN("add.f32 %0, %0, %0;\n\t"))) : "+f"(x));
  v[blockIdx.x] = x;
}
