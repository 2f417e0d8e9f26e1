//===- fortran.h - Calls of BLAS and LAPACK ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BLAS and LAPACK take all parameters by address, store matrices by columns as cuBLAS does, and
// have one name for each type of elements.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda-libraries/cublas_v2.h"
#include "runtime/libraries/elements/numbers.h"

#include <algorithm>
#include <complex>
#include <cstddef>
#include <initializer_list>
#include <type_traits>

namespace regrain::cublas {

using libraries::Number;

template <class T> Number<T> *numbers(T *elements) {
  return reinterpret_cast<Number<T> *>(elements);
}
template <class T> const Number<T> *numbers(const T *elements) {
  return reinterpret_cast<const Number<T> *>(elements);
}
/// The reverse of Number.
template <class N> struct ElementOf {
  using Type = N;
};
template <> struct ElementOf<std::complex<float>> {
  using Type = cuComplex;
};
template <> struct ElementOf<std::complex<double>> {
  using Type = cuDoubleComplex;
};

template <class N> const auto *elements(const N *from) {
  return reinterpret_cast<const typename ElementOf<N>::Type *>(from);
}
template <class N> auto *elements(N *from) {
  return reinterpret_cast<typename ElementOf<N>::Type *>(from);
}

template <class T>
inline constexpr bool isComplex =
    std::is_same_v<T, cuComplex> || std::is_same_v<T, cuDoubleComplex>;

/// A subroutine; its true parameters are those of the call.
using Symbol = void (*)();

template <class T> constexpr Symbol select(Symbol s, Symbol d, Symbol c, Symbol z) {
  if constexpr (std::is_same_v<T, float>)
    return s;
  else if constexpr (std::is_same_v<T, double>)
    return d;
  else if constexpr (std::is_same_v<T, cuComplex>)
    return c;
  else
    return z;
}

template <class A> const void *addressOf(const A &argument) {
  if constexpr (std::is_pointer_v<A>)
    return argument;
  else
    return &argument;
}

template <class> using Address = const void *;

/// Calls `symbol`: values are passed by address, pointers as they are. The sizes at the end are the
/// lengths of the character arguments, which Fortran expects there; C ignores them.
template <class... Args> void fortran(Symbol symbol, const Args &...args) {
  using Function = void (*)(Address<Args>..., size_t, size_t, size_t, size_t);
  reinterpret_cast<Function>(symbol)(addressOf(args)..., 1, 1, 1, 1);
}

/// REGRAIN_SUBROUTINE(Name, s, d, c, z): Name::of<T> is the subroutine for type T.
#define REGRAIN_SUBROUTINE(NAME, S, D, C, Z)                                                       \
  extern "C" void S##_();                                                                          \
  extern "C" void D##_();                                                                          \
  extern "C" void C##_();                                                                          \
  extern "C" void Z##_();                                                                          \
  struct NAME {                                                                                    \
    template <class T> static constexpr Symbol of = select<T>(S##_, D##_, C##_, Z##_);             \
  };

inline char flag(cublasFillMode_t uplo) { return uplo == CUBLAS_FILL_MODE_UPPER ? 'U' : 'L'; }
inline char flag(cublasDiagType_t diag) { return diag == CUBLAS_DIAG_UNIT ? 'U' : 'N'; }
inline char flag(cublasSideMode_t side) { return side == CUBLAS_SIDE_RIGHT ? 'R' : 'L'; }
/// LAPACK knows no conjugate transpose of real matrices.
template <class T> char flag(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? 'N' : op == CUBLAS_OP_C && isComplex<T> ? 'C' : 'T';
}

inline bool isKnown(cublasFillMode_t uplo) {
  return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER;
}
inline bool isKnown(cublasDiagType_t diag) {
  return diag == CUBLAS_DIAG_NON_UNIT || diag == CUBLAS_DIAG_UNIT;
}
inline bool isKnown(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT;
}
inline bool isKnown(cublasOperation_t op) {
  return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}
/// Returns whether all flags are enumerators that have a meaning.
template <class... Flags> bool areKnown(Flags... flags) { return (isKnown(flags) && ...); }

inline bool areSizes(std::initializer_list<int> sizes) {
  return std::all_of(sizes.begin(), sizes.end(), [](int size) { return size >= 0; });
}
inline bool areSteps(std::initializer_list<int> steps) {
  return std::all_of(steps.begin(), steps.end(), [](int step) { return step != 0; });
}
/// Returns whether `ld` can be the leading dimension of a matrix with this many rows.
inline bool holdsRows(int ld, int rows) { return ld >= std::max(1, rows); }

} // namespace regrain::cublas
