// Large code that has grown to more than twice the original's does not reach the assembler: it is
// pruned, recorded, and counts against the budget. Requested grains are assembled at any size.
// RUN: mkdir -p %t.cuda/bin && cp %S/Inputs/ptxas %t.cuda/bin/ptxas
// RUN: echo 'int f() { return 1; }' > %t.c && clang -c %t.c -o %t.code.o
// RUN: env CUDA_PATH=%t.cuda OBJECT=%t.code.o %regrain cc --nvcc=none --targets=sm_90 --alternatives=8 -Rpass-missed=regrain -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %regrain inspect --candidates %t.o | FileCheck %s
// RUN: %regrain inspect --candidates %t.o | grep -c "^  candidate" | FileCheck %s --check-prefix=COUNT
// RUN: env CUDA_PATH=%t.cuda OBJECT=%t.code.o %regrain cc --nvcc=none --targets=sm_90 --coarsen='*:block.x=8' -c %s -o %t.asked.o
// RUN: %regrain inspect %t.asked.o | FileCheck %s --check-prefix=ASKED

// CHECK-NOT: sm_90 {{ *}}block.x=8
// CHECK: candidate block.x=2: {{kept|pruned .duplicate}}
// CHECK: candidate block.x=8: pruned (size): code growth: [[LARGE:[0-9]+]] instructions, the original has [[SMALL:[0-9]+]]
// CHECK-NEXT: sm_90, 0 bytes: pruned (size): code growth: [[LARGE]] instructions, the original has [[SMALL]]
// The control is listed among the candidates and does not count.
// COUNT: {{^}}9{{$}}
// REMARK: size.cu:[[#@LINE+6]]:{{.*}}remark: kernel 'chain(float*)': block.x=8 for sm_90 is pruned: code growth: {{[0-9]+}} instructions
// ASKED: sm_90 {{ *}}block.x=8 {{.*}} chosen

#define TEN(text) text text text text text text text text text text

// A block of known size whose threads cooperate: the space has only block factors.
__global__ void __launch_bounds__(256) chain(float *v) {
  float x = v[blockIdx.x];
  __syncthreads();
  asm volatile(TEN(TEN(TEN("add.f32 %0, %0, %0;\n\tmul.f32 %0, %0, %0;\n\tneg.f32 %0, %0;\n\t"))) : "+f"(x));
  v[blockIdx.x] = x;
}
