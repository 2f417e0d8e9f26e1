// atomicInc and atomicDec name the memory that they change where it is known.
//
// RUN: %regrain cc -O2 --targets=compute_90 --emit=ptx %s -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx

__device__ unsigned counters[4];

// CHECK-LABEL: .entry {{.*}}ofArguments
// CHECK: atom.global.inc.u32
// CHECK: atom.global.dec.u32
__global__ void ofArguments(unsigned *p, int n) {
  atomicInc(p + threadIdx.x, n);
  atomicDec(p + n, 7);
}
// CHECK-LABEL: .entry {{.*}}ofVariables
// CHECK: atom.shared.inc.u32
// CHECK: atom.global.dec.u32
__global__ void ofVariables(unsigned *out, int n) {
  __shared__ unsigned seen[32];
  seen[threadIdx.x] = 0;
  __syncthreads();
  atomicInc(&seen[n], 5);
  atomicDec(&counters[n], 9);
  __syncthreads();
  out[threadIdx.x] = seen[threadIdx.x];
}
// What either of two memories or a loaded pointer holds keeps the generic form.
// CHECK-LABEL: .entry {{.*}}ofEither
// CHECK: atom.inc.u32
// CHECK: atom.dec.u32
__global__ void ofEither(unsigned *p, unsigned **q, int n) {
  __shared__ unsigned seen[32];
  seen[threadIdx.x] = 0;
  __syncthreads();
  unsigned *either = n > 3 ? p : seen;
  atomicInc(either + threadIdx.x, 5);
  atomicDec(q[0], 5);
  __syncthreads();
  p[threadIdx.x] = seen[threadIdx.x];
}
