//===- mixed.h - Products of matrices of any types --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/libraries/cublas/level3.h"
#include "runtime/libraries/elements/elements.h"

#include <cstring>

namespace regrain::cublas {

using namespace libraries;

/// The types of C = alpha op(A) op(B) + beta D, and of alpha and beta.
struct MixedTypes {
  cudaDataType a, b, c, scalar;
};

/// Returns the type of alpha and beta.
cudaDataType scalarTypeFor(cublasComputeType_t compute, cudaDataType c);

/// Returns whether the combination can be computed.
bool isSupported(const MixedTypes &types);

/// Computes in a precision that is at least that of the scalars; integers are exact. D is C's
/// addend; they may be the same.
void multiplyMixed(const Product &product, const MixedTypes &types, const void *alpha,
                   const void *A, const void *B, const void *beta, const void *D, int ldd, void *C);

/// A scalar parameter of a type that is known when the program runs.
class AnyScalar {
public:
  AnyScalar(cublasPointerMode_t mode, const void *pointer, cudaDataType type) : pointer(pointer) {
    if (mode == CUBLAS_POINTER_MODE_HOST && pointer) {
      isHost = true;
      std::memcpy(value, pointer, sizeOf(type));
    }
  }
  bool isGiven() const { return isHost || pointer; }
  const void *get() const { return isHost ? value : pointer; }

private:
  alignas(16) char value[16] = {};
  const void *pointer = nullptr;
  bool isHost = false;
};

} // namespace regrain::cublas
