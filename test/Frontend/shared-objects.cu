//===- shared-objects.cu - Objects in shared memory -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --emit=llvm -o %t.ll %s 2> %t.err
// RUN: FileCheck-19 %s --check-prefix=WARNING --implicit-check-not=warning: --input-file=%t.err
// RUN: FileCheck-19 %s --input-file=%t.ll
// RUN: %regrain cc -w --targets=cpu --emit=llvm -o %t.ll %s 2>&1 | count 0
// RUN: not %regrain cc --targets=cpu -DERRORS -c -o %t.o %s 2>&1 \
// RUN:   | FileCheck-19 %s --check-prefix=ERROR --implicit-check-not=error:

// CHECK-DAG: @_ZZ6kernelvE6object = internal addrspace(3) global %struct.Object undef
// CHECK-DAG: @_ZZ6kernelvE5empty = internal addrspace(3) global %struct.Empty undef
// CHECK-DAG: @_ZZ9templatedI6ObjectEvvE6object = {{.*}} addrspace(3) global %struct.Object undef
// CHECK-NOT: call {{.*}}Object

struct Object {
  int value;
  __device__ Object() : value(1) {}
  __device__ Object(int value) : value(value) {}
};
struct Empty {
  int value;
  __device__ Empty() {}
};

__global__ void kernel() {
  // WARNING: [[#@LINE+1]]:{{[0-9]+}}: warning: the constructor of 'object' does not run, because
  __shared__ Object object;
  __shared__ Empty empty;
  object.value = empty.value = 2;
}

template <class T> __global__ void templated() {
  // WARNING: [[#@LINE+1]]:{{[0-9]+}}: warning: the constructor of 'object' does not run, because
  __shared__ T object;
  object.value = 2;
}
template __global__ void templated<Object>();

#ifdef ERRORS
// ERROR-DAG: [[#@LINE+1]]:{{[0-9]+}}: error: initialization is not supported for __shared__ variables
__shared__ Object global;
// ERROR-DAG: [[#@LINE+1]]:{{[0-9]+}}: error: dynamic initialization is not supported
__device__ Object onDevice;
__device__ Empty emptyOnDevice;
struct Holder {
  static __device__ Object member;
};
// ERROR-DAG: [[#@LINE+1]]:{{[0-9]+}}: error: dynamic initialization is not supported
__device__ Object Holder::member;
template <class T> struct Template {
  static __device__ T member;
};
// ERROR-DAG: [[#@LINE+1]]:{{[0-9]+}}: error: dynamic initialization is not supported
template <class T> __device__ T Template<T>::member;
__global__ void wrong(int *out) {
  // ERROR-DAG: [[#@LINE+1]]:{{[0-9]+}}: error: initialization is not supported for __shared__ variables
  __shared__ Object written(5);
  // ERROR-DAG: [[#@LINE+1]]:{{[0-9]+}}: error: initialization is not supported for __shared__ variables
  __shared__ Object braces{};
  // ERROR-DAG: [[#@LINE+1]]:{{[0-9]+}}: error: initialization is not supported for __shared__ variables
  __shared__ int number = 5;
  // ERROR-DAG: [[#@LINE+1]]:{{[0-9]+}}: error: dynamic initialization is not supported
  static __device__ Object fixed;
  *out = written.value + braces.value + number + fixed.value + Template<Object>::member.value;
}
#endif
