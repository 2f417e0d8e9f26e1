// A kernel that the CPU cannot run has no code, and one sentence gives the
// reason; the other kernels of the module are not affected.
// RUN: %device-ir %s -o %t.ll
// RUN: regrain-cpu-test %t.ll --emit=reasons --kernel=assembly --kernel=counted --kernel=bulk --kernel=odd --kernel=eight --kernel=elsewhereCopied --kernel=number --kernel=place --kernel=tile --kernel=words --kernel=guardedTile --kernel=policy --kernel=video --kernel=merged --kernel=exceeding --kernel=greatest --kernel=unsignedChoice --kernel=bitsOfPoint --kernel=gathering --kernel=bySize --kernel=undefined --kernel=elsewhere --kernel=behindCall --kernel=fine --kernel=absent | FileCheck %s
// RUN: regrain-cpu-test %t.ll --kernel=assembly --kernel=fine --quiet --emit=optimized | FileCheck %s --check-prefix=KEPT
extern __device__ int nobody(int);
extern __device__ int otherFile;

// CHECK: assembly: it holds inline PTX assembly that the CPU target does not know: "vmad.u32.u32.u32 $0, $1, $2, $3"
extern "C" __global__ void assembly(int *out) {
  unsigned result;
  asm("vmad.u32.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(1), "r"(2), "r"(3));
  *out = result;
}

// An mbarrier would have to wait for the copy.
// CHECK: counted: it holds inline PTX assembly that the CPU target does not know: "cp.async.mbarrier.arrive.shared.b64 [$0]"
extern "C" __global__ void counted() {
  __shared__ unsigned long long barrier;
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"l"(
      __cvta_generic_to_shared(&barrier)));
}

// CHECK: bulk: it holds inline PTX assembly that the CPU target does not know: "cp.async.bulk.commit_group"
extern "C" __global__ void bulk() { asm volatile("cp.async.bulk.commit_group;"); }

// No such copy has 12 bytes, and one that bypasses the first cache has 16.
// CHECK: odd: it holds inline PTX assembly that the CPU target does not know: "cp.async.ca.shared.global [$0], [$1], $2"
extern "C" __global__ void odd(const void *from) {
  __shared__ uint4 to;
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"l"(__cvta_generic_to_shared(&to)),
               "l"(from), "n"(12));
}

// CHECK: eight: it holds inline PTX assembly that the CPU target does not know: "cp.async.cg.shared.global [$0], [$1], 8"
extern "C" __global__ void eight(const void *from) {
  __shared__ uint4 to;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 8;" ::"l"(__cvta_generic_to_shared(&to)),
               "l"(from));
}

// CHECK: elsewhereCopied: it holds inline PTX assembly that the CPU target does not know: "cp.async.ca.global.shared [$0], [$1], 8"
extern "C" __global__ void elsewhereCopied(void *to) {
  __shared__ uint4 from;
  asm volatile("cp.async.ca.global.shared [%0], [%1], 8;" ::"l"(to),
               "l"(__cvta_generic_to_shared(&from)));
}

// Only addresses in shared memory may have 32 bits.
// CHECK: number: it holds inline PTX assembly that the CPU target does not know: "ld.u32 $0, [$1]"
extern "C" __global__ void number(int *out, size_t offset) {
  asm volatile("ld.u32 %0, [%1];" : "=r"(*out) : "r"(unsigned(offset)));
}

// Shared memory begins at no known address.
// CHECK: place: it holds inline PTX assembly that the CPU target does not know: "ld.shared.u32 $0, [$1+4]"
extern "C" __global__ void place(int *out) {
  asm volatile("ld.shared.u32 %0, [%1+4];" : "=r"(*out) : "n"(16));
}

// CHECK: tile: it holds inline PTX assembly that the CPU target does not know: "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {$0, $1}, [$2]"
extern "C" __global__ void tile(int *out, size_t at) {
  asm volatile("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%0, %1}, [%2];"
               : "=r"(out[0]), "=r"(out[1])
               : "l"(at));
}

// CHECK: words: it holds inline PTX assembly that the CPU target does not know: "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {$0}, [$1]"
extern "C" __global__ void words(int *out, size_t at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0}, [%1];" : "=r"(*out) : "l"(at));
}

// CHECK: guardedTile: it holds inline PTX assembly that the CPU target does not know: "@p ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$0}, [$1]"
extern "C" __global__ void guardedTile(int *out, size_t at) {
  asm volatile("{ .reg .pred p; setp.ne.u64 p, %1, 0;\n"
               "  @p ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1]; }"
               : "+r"(*out)
               : "l"(at));
}

// CHECK: policy: it holds inline PTX assembly that the CPU target does not know: "createpolicy.fractional.L3::evict_first.b64 $0, 1.0"
extern "C" __global__ void policy(size_t *out) {
  asm("createpolicy.fractional.L3::evict_first.b64 %0, 1.0;" : "=l"(*out));
}

// CHECK: video: it holds inline PTX assembly that the CPU target does not know: "vshl.u32.u32.u32.sat.clamp $0, $1, $2"
extern "C" __global__ void video(int *out, int a) {
  asm("vshl.u32.u32.u32.sat.clamp %0, %1, %2;" : "=r"(*out) : "r"(a), "r"(a));
}

// A result that is a part of a word is not known.
// CHECK: merged: it holds inline PTX assembly that the CPU target does not know: "vadd.u32.u32.u32 $0.b0, $1, $2, $3"
extern "C" __global__ void merged(int *out, int a) {
  asm("vadd.u32.u32.u32 %0.b0, %1, %2, %3;" : "=r"(*out) : "r"(a), "r"(a), "r"(a));
}

// GPUs do not saturate such a sum, and take another maximum than PTX says.
// CHECK: exceeding: it holds inline PTX assembly that the CPU target does not know: "vadd.u32.u32.u32.sat $0, $1, $2"
extern "C" __global__ void exceeding(int *out, int a) {
  asm("vadd.u32.u32.u32.sat %0, %1, %2;" : "=r"(*out) : "r"(a), "r"(a));
}
// CHECK: greatest: it holds inline PTX assembly that the CPU target does not know: "vadd.u32.u32.u32.max $0, $1, $2, $3"
extern "C" __global__ void greatest(int *out, int a) {
  asm("vadd.u32.u32.u32.max %0, %1, %2, %3;" : "=r"(*out) : "r"(a), "r"(a), "r"(a));
}

// CHECK: unsignedChoice: it holds inline PTX assembly that the CPU target does not know: "slct.b32.u32 $0, $1, $2, $3"
extern "C" __global__ void unsignedChoice(int *out, int a) {
  asm("slct.b32.u32 %0, %1, %2, %3;" : "=r"(*out) : "r"(a), "r"(a), "r"(a));
}

// A number with a point has 64 bits.
// CHECK: bitsOfPoint: it holds inline PTX assembly that the CPU target does not know: "mov.b32 $0, 1.0"
extern "C" __global__ void bitsOfPoint(int *out) { asm("mov.b32 %0, 1.0;" : "=r"(*out)); }

// Some lanes may have left the loop.
// CHECK: gathering: it holds inline PTX assembly that the CPU target does not know: "shfl.sync.idx.b32 $0, $0, 0, 31, -1"
extern "C" __global__ void gathering(int *out, int n) {
  int sum = 0;
  asm volatile("{ .reg .pred p; AGAIN: shfl.sync.idx.b32 %0, %0, 0, 31, -1;\n"
               "  add.u32 %0, %0, 1; setp.lt.s32 p, %0, %1; @p bra AGAIN; }"
               : "+r"(sum)
               : "r"(n));
  *out = sum;
}

// Only pairs and words of 32 bits are limited to what is not negative.
// CHECK: bySize: it holds inline PTX assembly that the CPU target does not know: "min.relu.u16x2 $0, $1, $1"
extern "C" __global__ void bySize(int *out, int a) {
  asm("min.relu.u16x2 %0, %1, %1;" : "=r"(*out) : "r"(a));
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
