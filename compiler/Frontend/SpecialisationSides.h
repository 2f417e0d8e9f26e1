//===- SpecialisationSides.h - Sides of explicit specialisations -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A specialisation of a function template may be for other sides than the template, as in
//   template <class T> __host__ __device__ float rounded(T value);
//   template <> __device__ float rounded(int value) { return __int2float_rz(value); }
// clang takes the sides for a part of the signature, so it finds no template for such a
// specialisation. Until it has found it, the specialisation has the sides of the template.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace regrain {

/// Lets the attributes `regrain_host` and `regrain_device` of our headers do this for what the
/// thread compiles next.
void matchSpecialisationSides();

} // namespace regrain
