// What has no counterpart is refused by name, with the line in the kernel's file.
// RUN: %device-ir %s -o %t.ll
// RUN: regrain-amdgpu-test %t.ll --block=32 | FileCheck %s

// CHECK-DAG: gfx90a _Z5namedPiPKii: refused [unknown-intrinsic] it uses the PTX intrinsic nvvm_barrier, which has no counterpart on AMD GPUs ({{.*}}refusals.cu:[[#@LINE+2]])
__global__ void named(int *out, const int *in, int n) {
  asm volatile("bar.sync 1, 64;");
}

// Of several instructions, the unknown one is named. The line is the kernel's,
// through two functions of which one is in a header.
// CHECK-DAG: gfx90a _Z7severalPiPKii: refused [unknown-assembly] it holds inline PTX assembly that has no counterpart on AMD GPUs: "@p exit" ({{.*}}refusals.cu:[[#@LINE+2]])
__global__ void several(int *out, const int *in, int n) {
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; @p exit; st.u32 [%0], 1; }" :: "l"(out), "r"(n));
}

// CHECK-DAG: gfx90a _Z6matrixPiPKii: refused [unknown-assembly] it holds inline PTX assembly that has no counterpart on AMD GPUs: "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {$0, $1}, [$2]" ({{.*}}refusals.cu:[[#@LINE+2]])
__device__ int load(const int *in) {
  int a, b; asm volatile("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(in)); return a;
}
__global__ void matrix(int *out, const int *in, int n) { out[0] = load(in); }

// Products of matrices are known by their shape and types. A guard would leave lanes of the warp out.
// CHECK-DAG: gfx90a _Z7productPiPKii: refused [unknown-assembly] {{.*}} "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3}" ({{.*}}refusals.cu:[[#@LINE+4]])
__global__ void product(int *out, const int *in, int n) {
  float d[4] = {};
  int a = in[0];
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a), "r"(a), "r"(a), "r"(a), "r"(a), "r"(a));
  out[0] = d[0] + d[1] + d[2] + d[3];
}
// CHECK-DAG: gfx90a _Z7guardedPiPKii: refused [unknown-assembly] {{.*}} "@q mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5}, {$6}, {$0, $1, $2, $3}"
__global__ void guarded(int *out, const int *in, int n) {
  float d[4] = {};
  int a = in[0];
  asm("{ .reg .pred q; setp.ne.s32 q, %7, 0; @q mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3}; }"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a), "r"(a), "r"(a), "r"(n));
  out[0] = d[0] + d[1] + d[2] + d[3];
}
// CHECK-DAG: gfx90a _Z5wordsPiPKii: refused [unknown-assembly] {{.*}} "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5}, {$6}, {$0, $1, $2, $3}"
__global__ void words(int *out, const int *in, int n) {
  float d[4] = {};
  int a = in[0];
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a), "r"(a), "r"(a));
  out[0] = d[0] + d[1] + d[2] + d[3];
}

// A carry is that of the same statement: instructions between two statements are not known.
// CHECK-DAG: gfx90a _Z7carriedPiPKii: refused [unknown-assembly] it holds inline PTX assembly that has no counterpart on AMD GPUs: "addc.u32 $0, $1, 0" ({{.*}}refusals.cu:[[#@LINE+4]])
__global__ void carried(int *out, const int *in, int n) {
  int low, high;
  asm volatile("add.cc.u32 %0, %1, %1;" : "=r"(low) : "r"(n));
  asm volatile("addc.u32 %0, %1, 0;" : "=r"(high) : "r"(n));
  out[0] = low + high;
}

// CHECK-DAG: gfx90a _Z7roundedPiPKii: refused [unknown-assembly] {{.*}} "cvt.rn.bf16.f32 $0, $1"
__global__ void rounded(int *out, const int *in, int n) {
  short h; asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(1.0f)); out[0] = h;
}

// CHECK-DAG: gfx90a _Z4goodPiPKii: agrees
__global__ void good(int *out, const int *in, int n) { out[threadIdx.x] = in[0]; }
