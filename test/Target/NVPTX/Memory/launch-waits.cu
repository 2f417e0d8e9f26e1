// A kernel that may begin early reads nothing before it has waited for the launch in front of it, at any grain: neither
// what only the launch does not write, nor what no other parameter points to.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='*:thread.x=4:contiguous,for.pointers=16' --emit=ptx %s | FileCheck %s --check-prefix=COARSE
// Code for older devices never begins early.
// RUN: %regrain cc -O3 --targets=compute_80 --emit=ptx %s | FileCheck %s --check-prefix=OLDER
// OLDER-NOT: griddepcontrol
// On other targets, launches follow each other.
// RUN: %regrain cc -O1 -DRAW --targets=cpu -c %s -o %t.o

// CHECK-LABEL: .entry cached(
// CHECK-NOT: ld.global
// CHECK: griddepcontrol.launch_dependents;
// CHECK-NOT: ld.global
// CHECK: griddepcontrol.wait;
// CHECK: ld.global
// CHECK: ret;
// COARSE-LABEL: .entry cached__grain
// COARSE-NOT: ld.global
// COARSE: griddepcontrol.launch_dependents;
// COARSE-NOT: {{ld.global|launch_dependents}}
// COARSE: griddepcontrol.wait;
// COARSE-NOT: griddepcontrol
// COARSE: ld.global.v4.f32
// COARSE: st.global.v4.f32
extern "C" __global__ void cached(float *out, const float *in, const float *__restrict__ weights) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
  out[i] = __ldg(in + i) * weights[i];
}

// CHECK-LABEL: .entry guarded(
// CHECK-NOT: ld.global
// CHECK: griddepcontrol.wait;
// CHECK: ld.global
// COARSE-LABEL: .entry guarded__grain
// COARSE-NOT: {{ld.global|bra}}
// COARSE: griddepcontrol.wait;
// COARSE: ld.global
extern "C" __global__ void guarded(float *__restrict__ out, const float *__restrict__ in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cudaGridDependencySynchronize();
  if (i < n)
    out[i] = in[i] + __ldg(in);
}

#ifdef RAW
extern "C" __global__ void raw(float *out) {
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;");
  out[threadIdx.x] = 1;
}
#endif
