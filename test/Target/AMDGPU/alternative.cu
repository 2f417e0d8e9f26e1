// An alternative is a module of its own: it reaches variables through slots, and the program's grid is appended.
//
// REQUIRES: rocm-device-libs
// RUN: %regrain cc --targets=gfx1100 --coarsen='*:block.x=2' --emit=amdgcn %s -o - | FileCheck %s
// RUN: %regrain cc --targets=gfx1100,gfx90a --coarsen='*:block.x=2' -c %s -o %t.o
// RUN: %regrain inspect --extract=%t.modules %t.o | FileCheck %s --check-prefix=FILES

__device__ float table[4];

// CHECK: @table = protected addrspace(1)
// CHECK: at block.x=2
// CHECK: @__regrain_address_of_table = protected {{.*}}addrspace(4) externally_initialized global i64 0
// CHECK: define protected amdgpu_kernel void @_Z5scalePf__grain_block_x2(ptr addrspace(1) {{.*}}, i32 {{.*}}, i32 {{.*}}, i32
// FILES: 0.gfx1100.hsaco _Z5scalePf{{$}}
// FILES: 1.gfx1100.hsaco _Z5scalePf__grain_block_x2{{$}}
// FILES: 2.gfx90a.hsaco _Z5scalePf{{$}}
// FILES: 3.gfx90a.hsaco _Z5scalePf__grain_block_x2{{$}}
__global__ void scale(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i] *= table[i & 3];
}
