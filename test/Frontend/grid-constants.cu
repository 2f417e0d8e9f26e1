// __grid_constant__: the address is that of the launch's parameter, and no thread has a copy.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s | FileCheck %s
// RUN: %regrain cc --alternatives=1 -O3 --targets=ptx --emit=ptx --coarsen='inTable:block.x=2' %s \
// RUN:   | FileCheck --check-prefix=JOINED %s
// RUN: %regrain cc -O3 --targets=gfx90a --emit=amdgcn %s | FileCheck --check-prefix=AMD %s
// RUN: not %regrain cc -DWRONG --targets=ptx --emit=ptx %s 2>&1 | FileCheck --check-prefix=WRONG %s

struct Table {
  int values[64];
};
template <class T> __device__ const T &either(bool first, const T &a, const T &b) {
  return first ? a : b;
}

#ifndef WRONG
// CHECK-NOT: .local
// CHECK: .entry _Z7inTable5TablePPKi(
// CHECK: mov.b64 %place, _Z7inTable5TablePPKi_param_0; cvta.param.u64 [[TABLE:%rd[0-9]+]], %place;
// CHECK: add.s64 [[MEMBER:%rd[0-9]+]], [[TABLE]], 12;
// CHECK: st.global.u64 [{{.*}}], [[MEMBER]];
// JOINED: cvta.param.u64 [[TABLE:%rd[0-9]+]], %place;
// JOINED: st.global.u64
// JOINED: st.global.u64
// JOINED-NOT: .local
// AMD: define {{.*}} @_Z7inTable5TablePPKi(ptr addrspace(4) byref(%struct.Table)
// AMD-NOT: alloca
// AMD: getelementptr inbounds i8, ptr {{.*}}, i64 12
__global__ void inTable(const __grid_constant__ Table table, const int **out) {
  out[blockIdx.x] = &table.values[3];
}

// CHECK: .entry _Z6readAt5TablePi(
// CHECK: mov.b64 [[PLACE:%rd[0-9]+]], _Z6readAt5TablePi_param_0;
// CHECK-NOT: cvta.param
// CHECK: ld.param.u32
__global__ void readAt(const __grid_constant__ Table table, int *out) {
  *out = table.values[*out];
}

// Numbers keep their places among the parameters. One that is only read stays a number.
// CHECK: .entry _Z7onlySumiPi(
// CHECK-NEXT: .param .u32 _Z7onlySumiPi_param_0,
// CHECK-NOT: cvta.param
__global__ void onlySum(const __grid_constant__ int number, int *out) {
  *out += either(*out > 3, number, *out);
}

// CHECK: .entry _Z7numberscbdPPKv(
// CHECK-NEXT: .param .u8 _Z7numberscbdPPKv_param_0,
// CHECK-NEXT: .param .align 1 .b8 _Z7numberscbdPPKv_param_1[1],
// CHECK-NEXT: .param .align 8 .b8 _Z7numberscbdPPKv_param_2[8],
// CHECK-NEXT: .param .u64 _Z7numberscbdPPKv_param_3
__global__ void numbers(char first, const __grid_constant__ bool flag,
                        const __grid_constant__ double number, const void **out) {
  out[0] = &flag;
  out[first] = &number;
}

template <class T> __global__ void templated(const __grid_constant__ T map, int *out) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}
// CHECK: .entry _Z9templatedI5Table
// CHECK: cvta.param.u64 [[MAP:%rd[0-9]+]], %place;
// CHECK: prefetch.tensormap {{.}}[[MAP]]{{.}};
template __global__ void templated(const __grid_constant__ Table map, int *out);

#else

// WRONG: [[@LINE+1]]:{{[0-9]+}}: error: a parameter annotated with __grid_constant__ must have const-qualified type, not 'int'
__global__ void changeable(__grid_constant__ int number) {}
// WRONG: [[@LINE+1]]:{{[0-9]+}}: error: a parameter annotated with __grid_constant__ must not have reference type 'const int &'
__global__ void reference(const __grid_constant__ int &number) {}
// WRONG: [[@LINE+1]]:{{[0-9]+}}: error: __grid_constant__ annotation is only allowed on a parameter of a __global__ function
__device__ void noKernel(const __grid_constant__ int number) {}
__global__ void differs(const int number);
// WRONG: [[@LINE+1]]:{{[0-9]+}}: error: incompatible __grid_constant__ annotation for parameter 'number' in function redeclaration
__global__ void differs(const __grid_constant__ int number) {}
template <class T> __global__ void special(const __grid_constant__ T value) {}
// WRONG: [[@LINE+1]]:{{[0-9]+}}: error: incompatible __grid_constant__ annotation for parameter 'value' in function specialization
template <> __global__ void special(const int value) {}
template <class T> __global__ void late(__grid_constant__ T value) {}
// WRONG: [[@LINE-1]]:{{[0-9]+}}: error: a parameter annotated with __grid_constant__ must have const-qualified type, not 'int'
void instantiate() { late<<<1, 1>>>(3); }
// WRONG-NOT: error:

#endif

// These are right: the type of a pointer, and declarations that agree.
__global__ void agrees(const __grid_constant__ int number);
__global__ void agrees(__grid_constant__ const int number) {}
typedef void (*Pointer)(const __grid_constant__ int);
__global__ void array(const __grid_constant__ int numbers[3]) {}
