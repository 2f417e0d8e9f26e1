// These are kernels of the base module: arguments, variables, launch bounds, local arrays.
//
// REQUIRES: rocm-device-libs
// RUN: %regrain cc --targets=gfx90a --emit=amdgcn %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck %s --check-prefix=MODULE < %t.ll
// RUN: %regrain cc --targets=gfx90a --emit=hsaco %s -o %t.hsaco
// RUN: llvm-readelf --dyn-syms --notes %t.hsaco | FileCheck %s --check-prefix=OBJECT
// RUN: %regrain cc --targets=gfx90a -mcode-object-version=4 --emit=hsaco %s -o %t4.hsaco
// RUN: llvm-readelf -h %t4.hsaco | FileCheck %s --check-prefix=V4
// RUN: llvm-readelf -h %t.hsaco | FileCheck %s --check-prefix=V5

struct Box {
  float *data;
  int size;
};

// Alias analysis takes longer if the layout has pointers of more than 64 bits, and with more flags.
// MODULE: target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64
// MODULE: !llvm.module.flags = !{![[VERSION:[0-9]+]], !{{[0-9]+}}}
// MODULE: ![[VERSION]] = !{i32 1, !"amdhsa_code_object_version", i32 500}

// The program's variables are visible to the runtime, those of functions are not.
// CHECK-DAG: @table = protected addrspace(1) externally_initialized global [4 x float]
// CHECK-DAG: @scale = protected addrspace(4) externally_initialized global float
// CHECK-DAG: @counter = protected addrspace(1) externally_initialized global i32
// CHECK-DAG: addrspace(3) global [64 x float] undef
// OBJECT-DAG: OBJECT GLOBAL PROTECTED {{.*}} table
// OBJECT-DAG: OBJECT GLOBAL PROTECTED {{.*}} scale
// OBJECT-DAG: OBJECT GLOBAL PROTECTED {{.*}} counter
// V4: ABI Version: {{ *}}2
// V5: ABI Version: {{ *}}3
__device__ float table[4];
__constant__ float scale;
static __device__ int counter;

// Structures are in the kernarg segment, and pointers are global.
// CHECK: define protected amdgpu_kernel void @_Z5boxes3BoxPKfi(ptr addrspace(4) {{.*}}byref(%struct.Box) align 8 %{{[0-9]+}}, ptr addrspace(1) {{.*}}%{{[0-9]+}}, i32
__global__ void boxes(Box box, const float *from, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  tile[threadIdx.x & 63] = from[i];
  __syncthreads();
  box.data[i % box.size] = tile[(threadIdx.x + 1) & 63] * scale + table[i & 3];
  atomicAdd(&counter, 1);
}

// Indexed local arrays are in private memory.
// CHECK: define protected amdgpu_kernel void @_Z5localPii(
// CHECK: alloca [37 x i32], align {{[0-9]+}}, addrspace(5)
__global__ void local(int *p, int n) {
  int values[37];
  for (int i = 0; i < 37; ++i)
    values[i] = p[i * n];
  p[threadIdx.x] = values[p[n] % 37];
}

// CHECK: define protected amdgpu_kernel void @_Z7boundedPf({{.*}}) {{.*}}#[[BOUNDED:[0-9]+]]
// CHECK-DAG: attributes #[[BOUNDED]] = {{{.*}}"amdgpu-flat-work-group-size"="1,128"{{.*}}"amdgpu-waves-per-eu"="4"{{.*}}"uniform-work-group-size"="true"
__global__ void __launch_bounds__(128, 8) bounded(float *p) { p[threadIdx.x] *= 2; }

// Nothing remains of the other target.
// CHECK-NOT: nvptx
// CHECK-NOT: nvvm
// CHECK-NOT: "frame-pointer"
