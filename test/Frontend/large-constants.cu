// Constants that do not fit in constant memory are in global memory, the largest first. What the
// program may write stays.
// REQUIRES: x86-64-v3
// RUN: %regrain cc --emit=llvm %s | FileCheck %s
// RUN: %regrain cc --emit=llvm -rdc=true %s | FileCheck %s --check-prefix=LINKED
// RUN: %regrain cc --targets=cpu %s -o %t && %t
// RUN: sed -e 's/20000/200/' %s > %t.cu && %regrain cc --emit=llvm %t.cu | FileCheck %s --check-prefix=SMALL

// CHECK-DAG: @written = {{.*}}addrspace(4) externally_initialized global
// CHECK-DAG: @_ZL4many = internal addrspace(1) constant
// CHECK-DAG: @_ZL3few = internal addrspace(4) constant
// CHECK-DAG: @{{.*}}own = internal addrspace(1) constant
// CHECK-DAG: @shown = {{.*}}addrspace(1) {{.*}}constant

// LINKED-DAG: @_ZL4many = internal addrspace(1) constant
// LINKED-DAG: @shown = {{.*}}addrspace(4) {{.*}}constant

// SMALL-DAG: @_ZL4many = internal addrspace(4) constant
// SMALL-DAG: @shown = {{.*}}addrspace(4) {{.*}}constant

__constant__ double written[16];
static __constant__ const double many[20000] = {1, 2, 3};
const int few[4] = {1, 2, 3, 4};
extern __constant__ const double shown[20000];
__constant__ const double shown[20000] = {5, 6, 7};

__global__ void sum(double *result, int i) {
  static const double own[20000] = {8, 9, 10};
  *result = many[i] + few[i] + shown[i] + own[i] + written[i];
}

int main() {
  double *result = nullptr, value = 100;
  cudaMemcpyToSymbol(written, &value, sizeof(value), 2 * sizeof(value));
  cudaMallocManaged(&result, sizeof(double));
  sum<<<1, 1>>>(result, 2);
  cudaDeviceSynchronize();
  return *result != 3 + 3 + 7 + 10 + 100;
}
