//===- layout.h - The shape of a transform ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda-libraries/cufft.h"

#include <optional>
#include <vector>

namespace regrain::cufft {

/// A batch of transforms of real or complex data, in the terms of cufftPlanMany.
struct Shape {
  cufftType type = CUFFT_C2C;
  std::vector<long long> sizes; ///< of the transform, the last dimension is the innermost
  long long batch = 1;
  /// Distances and the sizes of the arrays in which the data lie; without, the data are packed.
  struct Embedding {
    std::vector<long long> sizes;
    long long stride, distance;
  };
  std::optional<Embedding> in, out;

  /// Returns whether the transform can be computed.
  cufftResult check() const;
  bool isDouble() const { return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D; }
  bool isFromReal() const { return type == CUFFT_R2C || type == CUFFT_D2Z; }
  bool isToReal() const { return type == CUFFT_C2R || type == CUFFT_Z2D; }
  long long elements() const;
};

/// Distances in elements: of neighbours in each dimension, and of transforms.
struct Distances {
  std::vector<long long> neighbours;
  long long batch;
};

/// Returns the distances of the input or of the output. Packed real data have room for the complex
/// result if that takes their place.
Distances distancesOf(const Shape &shape, bool isInput, bool isInPlace);

} // namespace regrain::cufft
