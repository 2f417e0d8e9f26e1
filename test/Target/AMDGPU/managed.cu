// Code for AMD GPUs reaches a managed variable through a slot, for which the runtime provides memory. A kernel that
// uses the address in an initial value has no code.
// RUN: not %regrain cc -c --cuda-path=none --targets=gfx90a %s -o %t.o 2>&1 | FileCheck %s
// RUN: %regrain cc -c --cuda-path=none --targets=gfx90a --image-form=ir --keep-going %s -o %t.o 2>&1 | FileCheck %s
// RUN: rm -rf %t.code && mkdir %t.code && %regrain inspect --extract=%t.code %t.o
// RUN: cat %t.code/* | FileCheck %s --check-prefix=CODE
// CHECK-NOT: direct
// CHECK: managed.cu:[[#@LINE+10]]:1: {{error|warning}}: gfx90a: no code for kernel 'throughInitialiser(int*)': it uses a variable whose initial value has the address of the managed variable counter
// CODE-DAG: @counter = protected addrspace(1) externally_initialized global i32 3
// CODE-DAG: @__regrain_address_of_counter = protected {{.*}}addrspace(4) externally_initialized global i64 0
// CODE: define protected amdgpu_kernel void @_Z6directPi
// CODE: load ptr addrspace(1), ptr addrspace(4) @__regrain_address_of_counter
__device__ __managed__ int counter = 3;
__device__ int *pointer = &counter;
__device__ __noinline__ int add(int by) { return counter += by; }
__global__ void direct(int *out) { out[threadIdx.x] = counter; }
__global__ void inFunction(int *out) { out[threadIdx.x] = add(1); }
__global__ void throughInitialiser(int *out) { out[threadIdx.x] = *pointer; }
