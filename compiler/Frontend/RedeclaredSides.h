//===- RedeclaredSides.h - Sides of all declarations ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc gives a function the sides of all its declarations:
//   struct Vector { __host__ __device__ float length() const; };
//   inline float Vector::length() const { ... }  // for both sides
// clang takes the sides for a part of the signature, so that it finds no declaration for such a
// definition, or refuses to overload. So a declaration gets the sides of earlier ones, if one of
// them has both sides, if it defines a member outside of its class, or if the program declares a
// function of the device again without a side. Such a function is for the device alone. Functions
// of two sides are overloads otherwise, on which our headers depend.
//
// An explicit specialisation without a side has those of the template or member.
//
// An attribute that a pragma of our first header gives to all functions is where this happens.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/Basic/Diagnostic.h"

namespace regrain {

/// Lets the attribute `regrain_redeclared` of regrain_prelude.h do this. Its pragma ends with the
/// translation unit, which is no error for `engine`.
void joinRedeclaredSides(clang::DiagnosticsEngine &engine);

} // namespace regrain
