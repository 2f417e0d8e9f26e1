//===- blas.cpp - A libhipblas.so on the CPU ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each entry checks hipBLAS's enumerators, and calls the entry of cuBLAS with a handle for the CPU.
// The work is thus a host function in HIP's stream.
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cublas/handle.h"

#include <optional>
#include <type_traits>

namespace {

constexpr int hip = REGRAIN_STAND_IN_HIP;

/// Statuses of hipBLAS.
enum {
  Success,
  NotInitialized,
  AllocFailed,
  InvalidValue,
  Mapping,
  Execution,
  Internal,
  NotSupported,
  ArchMismatch,
  NullHandle,
  InvalidEnum
};

int statusOf(cublasStatus_t status) {
  switch (status) {
  case CUBLAS_STATUS_SUCCESS:
    return Success;
  case CUBLAS_STATUS_NOT_INITIALIZED:
    return NullHandle;
  case CUBLAS_STATUS_INVALID_VALUE:
    return InvalidValue;
  case CUBLAS_STATUS_NOT_SUPPORTED:
    return NotSupported;
  default:
    return Execution;
  }
}

template <class E> struct Pair {
  int hip;
  E cuda;
};

template <class E> std::optional<E> find(std::initializer_list<Pair<E>> pairs, int value) {
  for (const Pair<E> &pair : pairs)
    if (pair.hip == value)
      return pair.cuda;
  return std::nullopt;
}

/// The types of elements before hipBLAS 2.
const std::initializer_list<Pair<cudaDataType>> ownTypes = {
    {150, CUDA_R_16F}, {151, CUDA_R_32F}, {152, CUDA_R_64F}, {154, CUDA_C_32F},
    {155, CUDA_C_64F}, {160, CUDA_R_8I},  {162, CUDA_R_32I}, {168, CUDA_R_16BF}};

const std::initializer_list<Pair<cublasComputeType_t>> ownComputations = {
    {150, CUBLAS_COMPUTE_16F}, {151, CUBLAS_COMPUTE_32F}, {152, CUBLAS_COMPUTE_64F},
    {154, CUBLAS_COMPUTE_32F}, {155, CUBLAS_COMPUTE_64F}, {162, CUBLAS_COMPUTE_32I}};

const std::initializer_list<Pair<cublasComputeType_t>> computations = {{0, CUBLAS_COMPUTE_16F},
                                                                       {2, CUBLAS_COMPUTE_32F},
                                                                       {7, CUBLAS_COMPUTE_64F},
                                                                       {9, CUBLAS_COMPUTE_32I}};

/// An argument of hipBLAS as cuBLAS takes it; nothing for an enumerator that hipBLAS does not have.
template <class A> std::optional<A> toCuda(A argument) {
  // The bytes are hipBLAS's number.
  if constexpr (std::is_same_v<A, cublasOperation_t>)
    return find<A>({{111, CUBLAS_OP_N}, {112, CUBLAS_OP_T}, {113, CUBLAS_OP_C}}, int(argument));
  else if constexpr (std::is_same_v<A, cublasFillMode_t>)
    return find<A>({{121, CUBLAS_FILL_MODE_UPPER}, {122, CUBLAS_FILL_MODE_LOWER}}, int(argument));
  else if constexpr (std::is_same_v<A, cublasDiagType_t>)
    return find<A>({{131, CUBLAS_DIAG_NON_UNIT}, {132, CUBLAS_DIAG_UNIT}}, int(argument));
  else if constexpr (std::is_same_v<A, cublasSideMode_t>)
    return find<A>({{141, CUBLAS_SIDE_LEFT}, {142, CUBLAS_SIDE_RIGHT}}, int(argument));
  else if constexpr (std::is_same_v<A, cublasGemmAlgo_t>)
    return find<A>({{160, CUBLAS_GEMM_DEFAULT}}, int(argument));
  else if constexpr (std::is_same_v<A, cublasComputeType_t>)
    return find(hip == 5 ? ownComputations : computations, int(argument));
  else if constexpr (std::is_same_v<A, cudaDataType>)
    return hip == 5 ? find(ownTypes, int(argument)) : std::optional<A>(argument);
  else
    return argument;
}

template <class Entry, class... Args> int forward(Entry entry, std::optional<Args>... args) {
  return (args && ...) ? statusOf(entry(*args...)) : int(InvalidEnum);
}

} // namespace

#define REGRAIN_ARGUMENTS(...) __VA_ARGS__
#define REGRAIN_ENTRY(NAME, HIP_NAME, PARAMETERS, ARGUMENTS)                                       \
  extern "C" int HIP_NAME PARAMETERS {                                                             \
    auto entry = [](auto... args) { return NAME(args...); };                                       \
    return [=](auto... args) {                                                                     \
      return forward(entry, toCuda(args)...);                                                      \
    }(REGRAIN_ARGUMENTS ARGUMENTS);                                                                \
  }
#define REGRAIN_CUBLAS(NAME, HIP_NAME, PARAMETERS, ARGUMENTS)                                      \
  REGRAIN_ENTRY(NAME, HIP_NAME, PARAMETERS, ARGUMENTS)
#define REGRAIN_CUBLAS_V2(NAME, HIP_NAME, PARAMETERS, ARGUMENTS)                                   \
  REGRAIN_ENTRY(NAME##_v2, HIP_NAME, PARAMETERS, ARGUMENTS)
#define REGRAIN_CUBLAS_32 REGRAIN_CUBLAS
#define REGRAIN_CUBLAS_32_V2 REGRAIN_CUBLAS_V2
#define REGRAIN_ABSENT(NAME, HIP_NAME, PARAMETERS, ARGUMENTS)
#define REGRAIN_INT int
#include "hipblas.def"

extern "C" {

int hipblasCreate(void **handle) {
  *handle = new cublasContext;
  return Success;
}

int hipblasDestroy(cublasContext *handle) {
  delete handle;
  return Success;
}

/// HIP does not know CUDA's handle of the legacy stream.
int hipblasSetStream(cublasContext *handle, cudaStream_t stream) {
  if (stream == cudaStreamLegacy)
    return InvalidValue;
  handle->stream = stream;
  return Success;
}

int hipblasSetPointerMode(cublasContext *handle, int mode) {
  if (mode != 0 && mode != 1)
    return InvalidEnum;
  handle->pointerMode = cublasPointerMode_t(mode);
  return Success;
}

int hipblasSetAtomicsMode(cublasContext *handle, int mode) {
  if (mode != 0 && mode != 1)
    return InvalidEnum;
  handle->atomicsMode = cublasAtomicsMode_t(mode);
  return Success;
}
}
