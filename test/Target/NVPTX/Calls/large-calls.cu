// Functions whose copies would make the module too large stay calls; the small
// one that they call is inlined.
// RUN: %regrain cc --emit=ptx --targets=compute_90 %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx
__device__ __noinline__ unsigned small(unsigned x) { return x * 5 + 1; }
__device__ __noinline__ unsigned large(unsigned x, const unsigned *in) {
#pragma unroll 1
  for (unsigned i = 0; i < 3; ++i) {
#define STEP x = small(x ^ in[x % 61]);
#define STEPS STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP
#define MORE STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS
    MORE MORE MORE MORE
  }
  return x;
}

// Moving a function to its only call adds nothing, however large it is.
template <int number> __device__ __noinline__ unsigned once(unsigned x, const unsigned *in) {
#pragma unroll 1
  for (unsigned i = 0; i < number; ++i) {
    MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE
  }
  return x;
}

// Only kernels are found by name, so a function with a name of its own is moved as well.
__device__ __noinline__ unsigned named(unsigned x, const unsigned *in) {
#pragma unroll 1
  for (unsigned i = 0; i < 5; ++i) {
    MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE
  }
  return x;
}

// CHECK-NOT: .func {{.*}}4once
// CHECK-NOT: .func {{.*}}5named
// CHECK-LABEL: .func (.param .b32 func_retval0) _Z5largejPKj(
// CHECK-NOT: call
// CHECK-LABEL: .entry kernel(
// CHECK: _Z5largejPKj
extern "C" __global__ void kernel(unsigned *out, const unsigned *in) {
  unsigned x = out[threadIdx.x];
#define CALL x = large(x, in + x % 3);
  CALL CALL CALL CALL CALL CALL CALL CALL CALL CALL
  out[threadIdx.x] = x;
}

// CHECK-LABEL: .entry moved(
// CHECK-NOT: call
// CHECK: ret;
extern "C" __global__ void moved(unsigned *out, const unsigned *in) {
  out[threadIdx.x] = once<3>(out[threadIdx.x], in);
}

// CHECK-LABEL: .entry movedNamed(
// CHECK-NOT: call
// CHECK: ret;
extern "C" __global__ void movedNamed(unsigned *out, const unsigned *in) {
  out[threadIdx.x] = named(out[threadIdx.x], in);
}
