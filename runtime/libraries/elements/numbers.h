//===- numbers.h - Types for arithmetic -------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/cuComplex.h"

#include <complex>
#include <type_traits>

namespace regrain::libraries {

/// The type for arithmetic on elements of type T, in the same memory. Complex numbers of programs
/// need not have the alignment of cuComplex, so elements are accessed by this type.
template <class T> struct NumberOf {
  using Type = T;
};
template <> struct NumberOf<cuComplex> {
  using Type = std::complex<float>;
};
template <> struct NumberOf<cuDoubleComplex> {
  using Type = std::complex<double>;
};
template <class T> using Number = typename NumberOf<std::remove_const_t<T>>::Type;

} // namespace regrain::libraries
