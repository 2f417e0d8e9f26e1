// Grains are proposed for launches that a file of choices has (--launches), as for those that the source shows: the longest class comes
// first, another version of the kernel counts, and launches of other kernels and classes without a launch say nothing.
// RUN: split-file %s %t
// RUN: %regrain explain --targets=compute_80 --alternatives=24 --launches=%t/seen.json %t/a.cu | FileCheck %s --check-prefix=SEEN
// SEEN-LABEL: norm(
// SEEN: kept:{{.*}} rows=registers,for.block=128x1x1,for.arg3=1024,{{.*}} rows=registers,for.block=128x1x1,for.arg3=512,
// SEEN-NOT: for.arg3=2048
// SEEN-NOT: for.arg2=

// What is no launch is an error, and says where.
// RUN: sed 's/for.block=128x1x1,for.arg2=7,for.arg3=512/block.x=2,for.block=128x1x1/' %t/seen.json > %t/wrong.json
// RUN: not %regrain explain --targets=compute_80 --launches=%t/wrong.json %t/a.cu 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: option '--launches': {{.*}}wrong.json: kernels[0].classes[0].launch: 'block.x=2,for.block=128x1x1' is not what is known of a launch (for.block=, for.argN=)
// RUN: not %regrain explain --targets=compute_80 --launches=%t/none.json %t/a.cu 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: option '--launches': cannot read {{.*}}none.json: No such file or directory

//--- a.cu
__global__ void norm(float *__restrict__ out, const float *__restrict__ in, int other, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += in[blockIdx.x * n + i];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = in[blockIdx.x * n + i] / sum + other;
}

void run(float *a, float *b, int block, int n) { norm<<<64, block>>>(a, b, 7, n); }

//--- seen.json
{"regrain_choices": "2.1", "kernels": [
  {"name": "norm(float*, float const*, int, int)", "hash": "00", "alternatives": [], "chosen": "original", "classes": [
    {"class": "block=128x1x1,shared=0,align=16,waves=1,grid=*x1x1", "alternative": "original", "gain": 1, "gain_low": 1,
     "gain_high": 1, "original_us": 5, "chosen_us": 5, "verified": "", "launch": "for.block=128x1x1,for.arg2=7,for.arg3=512"},
    {"class": "block=128x1x1,shared=0,align=16,waves=2,grid=*x1x1", "alternative": "original", "gain": 1, "gain_low": 1,
     "gain_high": 1, "original_us": 9, "chosen_us": 9, "verified": "", "launch": "for.block=128x1x1,for.arg2=7,for.arg3=1024"},
    {"class": "block=128x1x1,shared=0,align=16,waves=4,grid=*x1x1", "alternative": "original", "gain": 1, "gain_low": 1,
     "gain_high": 1, "original_us": 99, "chosen_us": 99, "verified": ""}]},
  {"name": "other(float*)", "hash": "00", "alternatives": [], "chosen": "original", "classes": [
    {"class": "block=128x1x1,shared=0,align=16,waves=1,grid=*x1x1", "alternative": "original", "gain": 1, "gain_low": 1,
     "gain_high": 1, "original_us": 50, "chosen_us": 50, "verified": "", "launch": "for.block=128x1x1,for.arg3=2048"}]}]}
