// What has no counterpart is refused by name, with the line in the kernel's file.
// RUN: %device-ir %s -o %t.ll
// RUN: regrain-amdgpu-test %t.ll --block=32 | FileCheck %s

// CHECK-DAG: gfx90a _Z9allocatesPiPKii: refused [unknown-intrinsic] it calls malloc, which is not supported on AMD GPUs ({{.*}}refusals.cu:[[#@LINE+2]])
__global__ void allocates(int *out, const int *in, int n) {
  int *memory = (int *)malloc(4);
  out[0] = memory != nullptr;
}

// CHECK-DAG: gfx90a _Z5namedPiPKii: refused [unknown-intrinsic] it uses the PTX intrinsic nvvm_barrier, which has no counterpart on AMD GPUs ({{.*}}refusals.cu:[[#@LINE+2]])
__global__ void named(int *out, const int *in, int n) {
  asm volatile("bar.sync 1, 64;");
}

// CHECK-DAG: gfx90a _Z5timedPiPKii: refused [unknown-intrinsic] it uses the PTX intrinsic nvvm_read_ptx_sreg_globaltimer, which has no counterpart on AMD GPUs ({{.*}}refusals.cu:[[#@LINE+3]])
__global__ void timed(int *out, const int *in, int n) {
  long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  out[0] = now != 0;
}

// The line is the kernel's, through two functions of which one is in a header.
// CHECK-DAG: gfx90a _Z5videoPiPKii: refused [unknown-assembly] it holds inline PTX assembly that has no counterpart on AMD GPUs: "vadd2.u32.u32.u32 $0,$1,$2,$3;" ({{.*}}refusals.cu:[[#@LINE+1]])
__device__ int pair(int a) { return __vadd2(a, 3); }
__global__ void video(int *out, const int *in, int n) { out[0] = pair(in[0]); }

// CHECK-DAG: gfx90a _Z4goodPiPKii: agrees
__global__ void good(int *out, const int *in, int n) { out[threadIdx.x] = in[0]; }
