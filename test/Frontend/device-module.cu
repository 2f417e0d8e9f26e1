// The device side has the form that the rest of the compiler expects: unoptimised,
// with line tables, library calls kept as calls, and annotated kernels.
// RUN: %regrain cc --emit=llvm %s | FileCheck-19 %s

__device__ int counter;

__global__ void __launch_bounds__(64) bump(float *values) {
  values[threadIdx.x] = sinf(values[threadIdx.x]);
  atomicAdd(&counter, 1);
}

// CHECK: target triple = "nvptx64-nvidia-cuda"
// CHECK: @counter = {{.*}}addrspace(1) externally_initialized global i32 0
// CHECK: define {{.*}}void @_Z4bumpPf(ptr {{.*}}) {{.*}}!dbg
// CHECK: alloca ptr
// CHECK: declare {{.*}}float @__nv_sinf(float
// CHECK-DAG: !"kernel", i32 1
// CHECK-DAG: !"maxntidx", i32 64
// CHECK-DAG: !DISubprogram(name: "bump", {{.*}}line: [[@LINE-12]]
