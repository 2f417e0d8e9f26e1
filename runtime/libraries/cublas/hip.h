//===- hip.h - cuBLAS on an AMD GPU, by hipBLAS -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry of cuBLAS is the entry of hipBLAS of the same name, with the same parameters in the same
// order. The values of enumerators and the names of types differ.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/libraries/cublas/handle.h"
#include "runtime/libraries/hip/library.h"

#include <string_view>
#include <type_traits>

namespace regrain::cublas::hip {

/// How hipBLAS names the types of elements.
enum class TypeNames : uint8_t {
  Own,    ///< by numbers of its own, also that of the computation (hipBLAS 0 and 1)
  Cudas,  ///< by CUDA's numbers (since hipBLAS 3)
  Suffix, ///< by CUDA's numbers in the entries whose name ends in _v2 (hipBLAS 2)
};

const libraries::HipLibrary &library();
TypeNames typeNames();

cublasStatus_t statusOf(int hipStatus);
int numberOf(cudaDataType type, TypeNames names);
int numberOf(cublasComputeType_t type, bool isComplex, TypeNames names);

/// An argument of cuBLAS as hipBLAS takes it; unknown values remain unknown.
template <class A> auto toHip(A argument, bool isComplex) {
  if constexpr (std::is_same_v<A, cublasHandle_t>)
    return argument->hip;
  else if constexpr (std::is_same_v<A, cublasOperation_t>)
    return 111 + int(argument);
  else if constexpr (std::is_same_v<A, cublasFillMode_t>)
    return argument == CUBLAS_FILL_MODE_LOWER   ? 122
           : argument == CUBLAS_FILL_MODE_UPPER ? 121
                                                : 123 + int(argument);
  else if constexpr (std::is_same_v<A, cublasDiagType_t>)
    return 131 + int(argument);
  else if constexpr (std::is_same_v<A, cublasSideMode_t>)
    return 141 + int(argument);
  else if constexpr (std::is_same_v<A, cudaDataType>)
    return numberOf(argument, typeNames());
  else if constexpr (std::is_same_v<A, cublasComputeType_t>)
    return numberOf(argument, isComplex, typeNames());
  else if constexpr (std::is_same_v<A, cublasGemmAlgo_t>)
    return 160; // the only algorithm that hipBLAS names
  else
    return argument;
}

template <class A> bool isComplexType(A argument) {
  if constexpr (std::is_same_v<A, cudaDataType>)
    return argument == CUDA_C_32F || argument == CUDA_C_64F;
  else
    return false;
}

/// An entry of hipBLAS.
class Entry {
public:
  /// `name` is that of cuBLAS's symbol; `hasTypes` says that it takes types of elements.
  Entry(const char *name, bool hasTypes);

  /// Calls the entry with the arguments of cuBLAS.
  template <class... Args> cublasStatus_t operator()(Args... args) const {
    // An index that is written with 64 bits: hipBLAS's entry writes 32.
    constexpr bool writesIndex = (std::is_same_v<Args, int64_t *> || ...);
    if (writesIndex || !function || libraries::hipMajor() == 0)
      return CUBLAS_STATUS_NOT_SUPPORTED;
    bool isComplex = (isComplexType(args) || ...);
    return statusOf(libraries::callHip(function, toHip(args, isComplex)...));
  }

private:
  void *function;
};

// What concerns the handle. These change or ask nothing but the handle of hipBLAS.
cublasStatus_t create(void *&handle);
cublasStatus_t destroy(void *handle);
cublasStatus_t setStream(void *handle, cudaStream_t stream);
cublasStatus_t setPointerMode(void *handle, cublasPointerMode_t mode);
cublasStatus_t setAtomicsMode(void *handle, cublasAtomicsMode_t mode);

} // namespace regrain::cublas::hip
