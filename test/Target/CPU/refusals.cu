// A kernel that the CPU cannot run has no code, and one sentence gives the
// reason; the other kernels of the module are not affected.
// RUN: %device-ir %s -o %t.ll
// RUN: regrain-cpu-test %t.ll --emit=reasons --kernel=assembly --kernel=undefined --kernel=elsewhere --kernel=behindCall --kernel=fine --kernel=absent | FileCheck %s
// RUN: regrain-cpu-test %t.ll --kernel=assembly --kernel=fine --quiet --emit=optimized | FileCheck %s --check-prefix=KEPT
extern __device__ int nobody(int);
extern __device__ int otherFile;

// CHECK: assembly: it holds inline PTX assembly that the CPU target does not know: "vmad.u32.u32.u32 $0, $1, $2, $3"
extern "C" __global__ void assembly(int *out) {
  unsigned result;
  asm("vmad.u32.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(1), "r"(2), "r"(3));
  *out = result;
}

// CHECK: undefined: it calls nobody(int), which has no definition for the CPU
extern "C" __global__ void undefined(int *out) { *out = nobody(3); }

// CHECK: elsewhere: it uses the variable otherFile, which another file defines
extern "C" __global__ void elsewhere(int *out) { *out = otherFile; }

__device__ int recursive(int x) { return x < 2 ? nobody(x) : recursive(x - 1) + recursive(x - 2); }
// CHECK: behindCall: it calls nobody(int)
extern "C" __global__ void behindCall(int *out) { *out = recursive(*out); }

// CHECK: fine: shared 0
// KEPT-NOT: @assembly =
// KEPT: @fine = protected {{.*}}constant
// KEPT-NOT: @assembly =
extern "C" __global__ void fine(int *out) { *out = 1; }

// CHECK: absent: the module does not define it
