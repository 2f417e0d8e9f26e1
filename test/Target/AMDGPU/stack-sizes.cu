// Stack memory whose size is known at run time gets the possible maximum if that is small; otherwise it is refused.
//
// REQUIRES: rocm-device-libs
// RUN: not %regrain cc --targets=gfx90a -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %regrain cc --targets=gfx90a -DLIMITED --emit=amdgcn %s -o - | FileCheck --check-prefix=FIXED %s
// RUN: %regrain cc --targets=gfx90a,gfx1100 -DLIMITED -c %s -o %t.o
// CHECK-NOT: error:

__device__ int sum(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum = sum * 2 + values[i];
  return sum;
}

// FIXED-LABEL: define {{.*}}void @_Z6modulePi(
// FIXED: %[[#]] = alloca [{{[0-9]+}} x i8], align {{[0-9]+}}, addrspace(5)
__global__ void module(int *out) {
  int count = 1 + threadIdx.x % 5;
  int *own = static_cast<int *>(alloca(count * sizeof(int)));
  for (int i = 0; i < count; ++i)
    own[i] = out[i];
  out[threadIdx.x] = sum(own, count);
}

// FIXED-LABEL: define {{.*}}void @_Z7guardedPij(
// FIXED: alloca [256 x i8], align {{[0-9]+}}, addrspace(5)
__global__ void guarded(int *out, unsigned count) {
  if (count > 64)
    return;
  int *own = static_cast<int *>(alloca(count * sizeof(int)));
  for (unsigned i = 0; i < count; ++i)
    own[i] = out[i];
  out[threadIdx.x] = sum(own, count);
}

// The size is constant, but on one path only.
// FIXED-LABEL: define {{.*}}void @_Z8on_a_wayPii(
// FIXED-NEXT: alloca [32 x i8], align {{[0-9]+}}, addrspace(5)
__global__ void on_a_way(int *out, int count) {
  if (out[threadIdx.x] < count) {
    int *own = static_cast<int *>(alloca(32));
    for (int i = 0; i < 8; ++i)
      own[i] = out[i + threadIdx.x];
    out[threadIdx.x] = sum(own, count % 8);
  }
}

#ifndef LIMITED
// CHECK: {{.*}}stack-sizes.cu:[[@LINE+2]]:1: error: gfx90a: no code for kernel 'unlimited(int*, int)': it calls alloca in a loop or with a size that has no small limit known to the compiler, and AMD GPUs have no such allocation ({{.*}}stack-sizes.cu:[[@LINE+3]])
// CHECK-NOT: error:
__global__ void unlimited(int *out, int count) {
  int *own = static_cast<int *>(alloca(count * sizeof(int)));
  for (int i = 0; i < count; ++i)
    own[i] = out[i];
  out[threadIdx.x] = sum(own, count);
}

// Each call has its own memory.
struct Link {
  Link *next;
  int value;
};
// CHECK: {{.*}}stack-sizes.cu:[[@LINE+2]]:1: error: gfx90a: no code for kernel 'chain(int*, int)': it calls alloca {{.*}} ({{.*}}stack-sizes.cu:[[@LINE+5]])
// CHECK-NOT: error:
__global__ void chain(int *out, int count) {
  Link *last = nullptr;
  for (int i = 0; i < count; ++i) {
    Link *link = static_cast<Link *>(alloca(sizeof(Link)));
    *link = {last, out[i]};
    last = link;
  }
  for (; last; last = last->next)
    out[threadIdx.x] = out[threadIdx.x] * 3 + last->value;
}

// LLVM would use one lane's size for all.
__device__ __noinline__ int reversed(const int *in, int count) {
  int *own = static_cast<int *>(alloca(count * sizeof(int)));
  for (int i = 0; i < count; ++i)
    own[i] = in[count - 1 - i];
  return sum(own, count);
}
// CHECK: {{.*}}stack-sizes.cu:[[@LINE+2]]:1: error: gfx90a: no code for kernel 'calls(int*)': it calls alloca {{.*}} ({{.*}}stack-sizes.cu:[[@LINE-5]])
// CHECK-NOT: error: {{.*}}.cu:
__global__ void calls(int *out) { out[threadIdx.x] = reversed(out, threadIdx.x); }
#endif
