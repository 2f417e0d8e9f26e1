//===- lambda-traits.cu - nvcc's traits of lambdas --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The traits say how the program qualified a lambda of a host function. The device side and the
// host side agree.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu,compute_70 --extended-lambda -c -o %t.o %s
// RUN: %regrain cc --targets=cpu -c -DPLAIN -o %t.o %s
// RUN: %if cuda-toolkit %{ %toolkit/bin/nvcc --extended-lambda -std=c++17 -c -o %t.o %s %}

#ifdef PLAIN
constexpr bool isExtended = false;
#else
constexpr bool isExtended = true;
#endif

template <bool DEVICE, bool RETURNS, bool HOST_DEVICE, class T> void check(T) {
  static_assert(__nv_is_extended_device_lambda_closure_type(T) == (isExtended && DEVICE), "");
  static_assert(__nv_is_extended_device_lambda_with_preserved_return_type(T) ==
                    (isExtended && RETURNS), "");
  static_assert(__nv_is_extended_host_device_lambda_closure_type(T) ==
                    (isExtended && HOST_DEVICE), "");
}

struct Function {
  __device__ void operator()() const {}
};

template <class Any> void inTemplate(Any any) {
  check<true, false, false>([=] __device__() { return any; });
  check<false, false, true>([=] __host__ __device__() { return any; });
  check<false, false, false>([=] { return any; });
}

void lambdas() {
  auto device = [] __device__() {};
  check<true, false, false>(device);
  check<true, true, false>([] __device__() -> int { return 1; });
  check<false, false, true>([] __host__ __device__() -> int { return 1; });
  check<false, false, false>([] { return 1; });
  check<false, false, false>(Function());
  check<false, false, false>(1);
  inTemplate(2);
  struct Derived : decltype(device) {};
  static_assert(!__nv_is_extended_device_lambda_closure_type(Derived), "");
}

__global__ void inKernel(int *out) {
  auto inner = [] __device__() { return 3; };
  static_assert(!__nv_is_extended_device_lambda_closure_type(decltype(inner)), "");
  *out = inner();
}
