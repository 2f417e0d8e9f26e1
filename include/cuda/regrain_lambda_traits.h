//===- regrain_lambda_traits.h - nvcc's traits of lambdas -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler gives the types of extended lambdas a member type that is the type itself
// (compiler/Frontend/ExtendedLambdas.h). A class that is derived from a lambda inherits the
// member, which is then another type. Without --extended-lambda, no lambda is extended.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_LAMBDA_TRAITS_H
#define REGRAIN_LAMBDA_TRAITS_H
#pragma GCC system_header

#if defined(__CUDACC_EXTENDED_LAMBDA__)

template <class> struct regrainVoid {
  typedef void type;
};
#define REGRAIN_LAMBDA_TRAIT(TRAIT, MEMBER)                                                        \
  template <class T, class = void> struct TRAIT {                                                  \
    static constexpr bool value = false;                                                           \
  };                                                                                               \
  template <class T> struct TRAIT<T, typename regrainVoid<typename T::MEMBER>::type> {             \
    static constexpr bool value = __is_same(__remove_cv(T), typename T::MEMBER);                   \
  };
REGRAIN_LAMBDA_TRAIT(regrainIsDeviceLambda, regrainDeviceLambda)
REGRAIN_LAMBDA_TRAIT(regrainIsReturningLambda, regrainReturningLambda)
REGRAIN_LAMBDA_TRAIT(regrainIsHostDeviceLambda, regrainHostDeviceLambda)
#undef REGRAIN_LAMBDA_TRAIT

#define __nv_is_extended_device_lambda_closure_type(...)                                           \
  (regrainIsDeviceLambda<__VA_ARGS__>::value || regrainIsReturningLambda<__VA_ARGS__>::value)
#define __nv_is_extended_device_lambda_with_preserved_return_type(...)                             \
  (regrainIsReturningLambda<__VA_ARGS__>::value)
#define __nv_is_extended_host_device_lambda_closure_type(...)                                      \
  (regrainIsHostDeviceLambda<__VA_ARGS__>::value)

#else

#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false

#endif

#endif
