// The regions of a large kernel stay functions of their own, with the lines of the kernel. Those of
// a small one are inlined.
// RUN: %device-ir %s -o %t.ll
// RUN: regrain-cpu-test %t.ll --emit=optimized --kernel=large | FileCheck %s --check-prefix=LARGE
// RUN: regrain-cpu-test %t.ll --emit=optimized --kernel=small | FileCheck %s --check-prefix=SMALL
// RUN: %same-on-all-paths %t.ll --kernel=large --kernel=small --block=64
// RUN: FileCheck %s --check-prefix=RESULT < %t.out
// RUN: %device-ir %s -gline-tables-only -o %t.lines.ll
// RUN: regrain-cpu-test %t.lines.ll --emit=optimized --kernel=large --debug-info=lines | FileCheck %s --check-prefix=LINES

// A call of such a function has a line, too; otherwise the module is not valid.
// RUN: %regrain cc --targets=cpu -O3 -lineinfo -c %s -o %t.o

// LARGE-LABEL: define internal void @large.run
// LARGE: call {{.*}}void @large.region.1(
// RESULT-LABEL: large:
// LINES: define internal {{.*}}@large.region.0({{.*}} !dbg [[FIRST:![0-9]+]]
// LINES: define internal {{.*}}@large.region.1({{.*}} !dbg [[SECOND:![0-9]+]]
// LINES-DAG: [[FIRST]] = distinct !DISubprogram(name: "large"
// LINES-DAG: [[SECOND]] = distinct !DISubprogram(name: "large"
extern "C" __global__ void large(int *out, const int *in, int n) {
  __shared__ int tile[64];
  int value = in[threadIdx.x];
#pragma unroll
  for (int step = 1; step <= 32; ++step) {
    tile[threadIdx.x] = value;
    __syncthreads();
#pragma unroll
    for (int other = 0; other < 8; ++other)
      value += tile[(threadIdx.x * other + step) % 64] ^ value >> other;
    __syncthreads();
  }
  out[threadIdx.x] = value;
}

// SMALL-LABEL: define internal void @small.run
// SMALL-NOT: @small.region
// SMALL: ret void
// RESULT-LABEL: small:
// RESULT-NEXT: 63 62 61
extern "C" __global__ void small(int *out, const int *in, int n) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
