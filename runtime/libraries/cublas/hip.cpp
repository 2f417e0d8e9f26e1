//===- hip.cpp - cuBLAS on an AMD GPU, by hipBLAS -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cublas/hip.h"

#include <string>

namespace regrain::cublas::hip {

const libraries::HipLibrary &library() {
  static constexpr libraries::HipFile files[] = {{7, 3}, {6, 2}, {5, 1}, {5, 0}};
  static const auto *loaded = new libraries::HipLibrary("hipblas", files);
  return *loaded;
}

TypeNames typeNames() {
  int number = library().number();
  return number < 2 ? TypeNames::Own : number == 2 ? TypeNames::Suffix : TypeNames::Cudas;
}

cublasStatus_t statusOf(int hipStatus) {
  switch (hipStatus) {
  case 0:
    return CUBLAS_STATUS_SUCCESS;
  case 1: // not initialised
  case 9: // the handle is null
    return CUBLAS_STATUS_NOT_INITIALIZED;
  case 2:
    return CUBLAS_STATUS_ALLOC_FAILED;
  case 3:  // an invalid value
  case 10: // an enumerator that is none
    return CUBLAS_STATUS_INVALID_VALUE;
  case 4:
    return CUBLAS_STATUS_MAPPING_ERROR;
  case 5:
    return CUBLAS_STATUS_EXECUTION_FAILED;
  case 7:
    return CUBLAS_STATUS_NOT_SUPPORTED;
  case 8:
    return CUBLAS_STATUS_ARCH_MISMATCH;
  default:
    return CUBLAS_STATUS_INTERNAL_ERROR;
  }
}

int numberOf(cudaDataType type, TypeNames names) {
  if (names != TypeNames::Own)
    return type;
  switch (type) {
  case CUDA_R_16F:
    return 150;
  case CUDA_R_32F:
    return 151;
  case CUDA_R_64F:
    return 152;
  case CUDA_C_16F:
    return 153;
  case CUDA_C_32F:
    return 154;
  case CUDA_C_64F:
    return 155;
  case CUDA_R_8I:
    return 160;
  case CUDA_R_8U:
    return 161;
  case CUDA_R_32I:
    return 162;
  case CUDA_R_32U:
    return 163;
  case CUDA_R_16BF:
    return 168;
  case CUDA_C_16BF:
    return 169;
  default:
    return 255;
  }
}

// hipBLAS knows only the plain computations. The others allow less precision, which is not used, or
// forbid what hipBLAS does not do.
int numberOf(cublasComputeType_t type, bool isComplex, TypeNames names) {
  switch (type) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return names == TypeNames::Own ? 150 : 0;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
    return names == TypeNames::Own ? (isComplex ? 155 : 152) : 7;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    return names == TypeNames::Own ? 162 : 9;
  case CUBLAS_COMPUTE_32F:
  case CUBLAS_COMPUTE_32F_PEDANTIC:
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32:
    return names == TypeNames::Own ? (isComplex ? 154 : 151) : 2;
  default:
    return 255;
  }
}

/// Returns the name of hipBLAS for an entry of cuBLAS.
static std::string nameOf(std::string_view name, bool hasTypes) {
  auto removeEnd = [&](std::string_view end) {
    bool ends = name.ends_with(end);
    name.remove_suffix(ends ? end.size() : 0);
    return ends;
  };
  removeEnd("_v2");
  removeEnd("3m"); // the product by another algorithm
  std::string result = "hip" + std::string(name.substr(std::string_view("cu").size()));
  if (hasTypes && typeNames() == TypeNames::Suffix)
    return result + "_v2";
  // Before hipBLAS 2, the plain name is the product in place, which has fewer parameters.
  if (name.ends_with("trmm") && library().number() < 2)
    return result + "Outofplace";
  return result;
}

Entry::Entry(const char *name, bool hasTypes)
    : function(library().findOrReport(nameOf(name, hasTypes), name)) {}

namespace {

template <class... Args> cublasStatus_t call(const char *entry, Args... args) {
  void *function = library().findOrReport(entry, "cuBLAS");
  if (!function || libraries::hipMajor() == 0)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return statusOf(libraries::callHip(function, args...));
}

} // namespace

cublasStatus_t create(void *&handle) {
  if (!library().isLoaded())
    return CUBLAS_STATUS_NOT_SUPPORTED;
  cublasStatus_t status = call("hipblasCreate", &handle);
  // CUDA's default is the sum in a fixed order.
  return status == CUBLAS_STATUS_SUCCESS ? setAtomicsMode(handle, CUBLAS_ATOMICS_NOT_ALLOWED)
                                         : status;
}

cublasStatus_t destroy(void *handle) { return call("hipblasDestroy", handle); }

cublasStatus_t setStream(void *handle, cudaStream_t stream) {
  return call("hipblasSetStream", handle, libraries::toHip(stream));
}

cublasStatus_t setPointerMode(void *handle, cublasPointerMode_t mode) {
  return call("hipblasSetPointerMode", handle, int(mode));
}

cublasStatus_t setAtomicsMode(void *handle, cublasAtomicsMode_t mode) {
  return call("hipblasSetAtomicsMode", handle, int(mode));
}

} // namespace regrain::cublas::hip
