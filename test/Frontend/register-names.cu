// A register of PTX may be written with one '%' in assembly with operands, as nvcc takes it.
// RUN: %regrain cc --emit=llvm %s | FileCheck %s
// RUN: %regrain cc --targets=cpu -c %s -o %t.o

#define READ_LANE(result)                                                                          \
  asm volatile("mov.u32 %0,"                                                                       \
               " %laneid;"                                                                         \
               : "=r"(result))

__global__ void read(unsigned *out, int *in) {
  // CHECK: asm {{.*}}"mov.u32 $0,%laneid;"
  asm("mov.u32 %0, %laneid;" : "=r"(out[0]));
  // CHECK: asm sideeffect "mov.u32 $0, %lanemask_lt;"
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(out[1]));
  // CHECK: asm sideeffect "mov.u32 $0,%laneid;"
  READ_LANE(out[2]);
  // CHECK: asm {{.*}}"add.s32 $0, $1, $2;"
  asm("add.s32 %0, %1, %2;" : "=r"(in[0]) : "r"(in[1]), "r"(in[2]));
  // CHECK: asm {{.*}}"mov.u32 $0,%tid.x; // 100$0"
  asm("mov.u32 %0, %tid.x; // 100%0" : "=r"(out[3]));
}
