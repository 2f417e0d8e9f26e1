//===- layout.cpp - The shape of a transform ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cufft/layout.h"

#include <climits>

namespace regrain::cufft {

cufftResult Shape::check() const {
  bool isComplex = type == CUFFT_C2C || type == CUFFT_Z2Z;
  if (!isComplex && !isFromReal() && !isToReal())
    return CUFFT_INVALID_TYPE;
  if (sizes.empty() || sizes.size() > 3 || batch < 1)
    return CUFFT_INVALID_SIZE;
  for (long long size : sizes)
    if (size < 1 || size > INT_MAX)
      return CUFFT_INVALID_SIZE;
  for (const std::optional<Embedding> *place : {&in, &out}) {
    if (!*place)
      continue;
    if ((*place)->stride < 1 || (*place)->distance < 0)
      return CUFFT_INVALID_VALUE;
    for (long long size : (*place)->sizes)
      if (size < 1)
        return CUFFT_INVALID_VALUE;
  }
  return CUFFT_SUCCESS;
}

long long Shape::elements() const {
  long long product = batch;
  for (long long size : sizes)
    product *= size;
  return product;
}

Distances distancesOf(const Shape &shape, bool isInput, bool isInPlace) {
  const std::optional<Shape::Embedding> &given = isInput ? shape.in : shape.out;
  std::vector<long long> extents = given ? given->sizes : shape.sizes;
  bool isReal = isInput ? shape.isFromReal() : shape.isToReal();
  if (!given && (shape.isFromReal() || shape.isToReal())) {
    long long half = extents.back() / 2 + 1;
    extents.back() = !isReal ? half : isInPlace ? 2 * half : extents.back();
  }
  Distances distances;
  distances.neighbours.resize(extents.size());
  long long distance = given ? given->stride : 1;
  for (size_t dimension = extents.size(); dimension-- > 0;) {
    distances.neighbours[dimension] = distance;
    distance *= extents[dimension];
  }
  distances.batch = given ? given->distance : distance;
  return distances;
}

} // namespace regrain::cufft
