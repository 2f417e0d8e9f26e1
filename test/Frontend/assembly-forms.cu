// nvcc takes a register of PTX with one '%' in assembly with operands, and operands without a comma between them.
// RUN: %regrain cc --emit=llvm %s | FileCheck %s
// RUN: %regrain cc --targets=cpu -c %s -o %t.o
// RUN: not %regrain cc -DTIGHT -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=TIGHT
// RUN: not %regrain cc -DWRONG -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=WRONG

#define READ_LANE(result)                                                                          \
  asm volatile("mov.u32 %0,"                                                                       \
               " %laneid;"                                                                         \
               : "=r"(result))
#define ADD(result, left, right)                                                                   \
  asm volatile("add.s32 %0, %1, %2;" : "=r"(result) : "r"(left)                                    \
               "r"(right))

__global__ void read(unsigned *out, int *in) {
  // CHECK: asm {{.*}}"mov.u32 $0,%laneid;"
  asm("mov.u32 %0, %laneid;" : "=r"(out[0]));
  // CHECK: asm sideeffect "mov.u32 $0, %lanemask_lt;"
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(out[1]));
  // CHECK: asm sideeffect "mov.u32 $0,{{ *}}%laneid;"
  READ_LANE(out[2]);
  // CHECK: asm {{.*}}"add.s32 $0, $1, $2;"
  asm("add.s32 %0, %1, %2;" : "=r"(in[0]) : "r"(in[1]), "r"(in[2]));
  // CHECK: asm {{.*}}"mov.u32 $0,%tid.x; // 100$0"
  asm("mov.u32 %0, %tid.x; // 100%0" : "=r"(out[3]));
  // Two characters are added, and one blank can go.
  // TIGHT: assembly-forms.cu:[[@LINE+2]]:{{.*}}error: expected ')'
#ifdef TIGHT
  asm("st.global.u32 [%1], %0;"::"r"(in[0])"l"(in), "r"(0)"r"(1):"memory");
#endif
  // CHECK: asm {{.*}}"mov.u32\09$0,\09%laneid;"
  asm("mov.u32\t%0,\t%laneid;" : "=r"(out[4]));
  // CHECK: asm {{.*}}"{.reg .u32 %kept;mov.u32 %kept,%laneid;mov.u32 $0,%kept;}"
  asm("{.reg .u32 %kept;mov.u32 %kept, %laneid;mov.u32 %0, %kept;}" : "=r"(out[5]));
}

__global__ void join(int *out, char tag) {
  int a = out[0], b = 1'000;
  // CHECK: asm sideeffect "st.global.u32 [$1], $0;", "r,l,~{memory}"
  asm volatile("st.global.u32 [%1], %0;" ::"r"(a) "l"(out) : "memory");
  // CHECK: asm sideeffect "mad.lo.s32 $0, $2, $3, $4;{{.*}}=r,=r,r,r,r"
  asm volatile("mad.lo.s32 %0, %2, %3, %4; mov.u32 %1, 5;" : "=r"(a)"=r"(b) : "r"((a + ')') * (b))
               "r"(max(b, 1'0 /* of "r"(x) "r"(y) */)) "r"(tag == '"' ? 1 : 2));
  // CHECK: asm sideeffect "add.s32 $0, $1, $2;", "=r,r,r"
  ADD(b, a, 3);
  out[1] = b;
  // WRONG: assembly-forms.cu:[[@LINE+2]]:{{.*}}error: expected
#ifdef WRONG
  asm("mov.u32 %0, %1;" : "=r"(a) : "r"(a) b);
#endif
}
