// A loop with the same iterations for all threads goes outside of the loop over the
// threads, which is then vectorised; one whose accesses lie apart stays where it is.
// RUN: %device-ir %s -o %t.ll
// RUN: regrain-cpu-test %t.ll --emit=lowered --kernel=product | FileCheck %s --check-prefix=CHANGED
// RUN: regrain-cpu-test %t.ll --emit=lowered --kernel=rows | FileCheck %s --check-prefix=KEPT
// RUN: regrain-cpu-test %t.ll --emit=lowered --kernel=apart | FileCheck %s --check-prefix=KEPT
// RUN: regrain-cpu-test %t.ll --emit=optimized --kernel=product | FileCheck %s --check-prefix=VECTOR
// RUN: %same-on-all-paths %t.ll --kernel=product --kernel=rows --kernel=apart --block=16,2 --n=16 --buffer=512
// RUN: FileCheck %s --check-prefix=VALUES < %t.out

// CHANGED: define internal void @product.region.1
// VECTOR: load <8 x i32>
// VALUES-LABEL: product:
// VALUES-NEXT: 19840 19960 20080
extern "C" __global__ void product(int *out, const int *in, int n) {
  int x = threadIdx.x, y = threadIdx.y, sum = 0;
  for (int k = 0; k < n; ++k)
    sum += in[y * n + k] * in[k * n + x];
  out[y * n + x] = sum;
}

// Neighbouring threads each read a row.
// KEPT-NOT: region.1
// VALUES-LABEL: rows:
// VALUES-NEXT: 120 376 632
extern "C" __global__ void rows(int *out, const int *in, int n) {
  int t = threadIdx.x + threadIdx.y * blockDim.x, sum = 0;
  for (int k = 0; k < n; ++k)
    sum += in[t * n + k];
  out[t] = sum;
}

// The number of iterations differs from thread to thread.
// VALUES-LABEL: apart:
// VALUES-NEXT: 0 0 1 3 6
extern "C" __global__ void apart(int *out, const int *in, int n) {
  int t = threadIdx.x + threadIdx.y * blockDim.x, sum = 0;
  for (int k = 0; k < t; ++k)
    sum += in[k];
  out[t] = sum;
}
