//===- elements.h - Elements of any type ------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/cuda_bf16.h"
#include "include/cuda/cuda_fp16.h"
#include "include/cuda/cuda_fp8.h"
#include "include/cuda/library_types.h"

#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace regrain::libraries {

template <class> struct Tag {};

/// Calls `visit(Tag<T>())` with the type of the elements. Returns false for an unknown type.
template <class Visit> bool visitType(cudaDataType type, Visit visit) {
  switch (type) {
  case CUDA_R_32F:
    return visit(Tag<float>()), true;
  case CUDA_R_64F:
    return visit(Tag<double>()), true;
  case CUDA_R_16F:
    return visit(Tag<__half>()), true;
  case CUDA_R_16BF:
    return visit(Tag<__nv_bfloat16>()), true;
  case CUDA_R_8F_E4M3:
    return visit(Tag<__nv_fp8_e4m3>()), true;
  case CUDA_R_8F_E5M2:
    return visit(Tag<__nv_fp8_e5m2>()), true;
  case CUDA_R_8I:
    return visit(Tag<int8_t>()), true;
  case CUDA_R_32I:
    return visit(Tag<int32_t>()), true;
  case CUDA_C_32F:
    return visit(Tag<std::complex<float>>()), true;
  case CUDA_C_64F:
    return visit(Tag<std::complex<double>>()), true;
  default:
    return false;
  }
}

/// Returns the bytes of an element; 0 for an unknown type.
inline size_t sizeOf(cudaDataType type) {
  size_t size = 0;
  visitType(type, [&]<class T>(Tag<T>) { size = sizeof(T); });
  return size;
}

inline bool isComplexType(cudaDataType type) { return type == CUDA_C_32F || type == CUDA_C_64F; }

/// Converts an element to a type of arithmetic, or back with rounding to nearest. A complex value
/// that becomes real loses its imaginary part.
template <class To, class From> To convert(const From &from) {
  constexpr bool isToComplex = requires(To to) { to.imag(); };
  if constexpr (requires { from.imag(); }) {
    if constexpr (isToComplex)
      return To(typename To::value_type(from.real()), typename To::value_type(from.imag()));
    else
      return convert<To>(from.real());
  } else if constexpr (isToComplex) {
    return To(convert<typename To::value_type>(from));
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    return To(std::nearbyint(from));
  } else if constexpr (std::is_same_v<From, __half>) {
    return To(float(std::bit_cast<_Float16>(from))); // an instruction of the processor
  } else if constexpr (std::is_same_v<To, __half> && std::is_same_v<From, float>) {
    return std::bit_cast<__half>(_Float16(from));
  } else if constexpr (std::is_arithmetic_v<From> || std::is_same_v<To, float>) {
    return To(from);
  } else {
    return To(static_cast<float>(from));
  }
}

/// Returns elements in a type of arithmetic, columns without gaps.
template <class N>
std::vector<N> loadMatrix(const void *from, cudaDataType type, int64_t rows, int64_t cols,
                          int64_t ld) {
  std::vector<N> out(size_t(rows) * cols);
  visitType(type, [&]<class T>(Tag<T>) {
    for (int64_t j = 0; j < cols; ++j)
      for (int64_t i = 0; i < rows; ++i)
        out[i + size_t(j) * rows] = convert<N>(static_cast<const T *>(from)[i + j * ld]);
  });
  return out;
}

template <class N>
void storeMatrix(const std::vector<N> &from, void *to, cudaDataType type, int64_t rows,
                 int64_t cols, int64_t ld) {
  visitType(type, [&]<class T>(Tag<T>) {
    for (int64_t j = 0; j < cols; ++j)
      for (int64_t i = 0; i < rows; ++i)
        static_cast<T *>(to)[i + j * ld] = convert<T>(from[i + size_t(j) * rows]);
  });
}

template <class N> N loadElement(const void *from, cudaDataType type, ptrdiff_t index = 0) {
  N out = {};
  visitType(type, [&]<class T>(Tag<T>) { out = convert<N>(static_cast<const T *>(from)[index]); });
  return out;
}

template <class N>
void storeElement(const N &from, void *to, cudaDataType type, ptrdiff_t index = 0) {
  visitType(type, [&]<class T>(Tag<T>) { static_cast<T *>(to)[index] = convert<T>(from); });
}

} // namespace regrain::libraries
