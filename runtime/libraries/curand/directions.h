//===- directions.h - Direction vectors of Sobol' sequences -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "curand.h"

namespace regrain::curand {

inline constexpr unsigned maxDimensions = 21;

/// The vectors of all dimensions, and the words by which scrambled sequences differ.
struct Directions32 {
  curandDirectionVectors32_t vectors[maxDimensions];
  unsigned scrambles[maxDimensions];
};
struct Directions64 {
  curandDirectionVectors64_t vectors[maxDimensions];
  unsigned long long scrambles[maxDimensions];
};

Directions32 &directions32();
Directions64 &directions64();

} // namespace regrain::curand
