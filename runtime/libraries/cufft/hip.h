//===- hip.h - A plan on an AMD GPU, by hipFFT ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of transforms, the directions and the results have the same numbers in cuFFT and
// hipFFT.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/libraries/cufft/layout.h"

#include <memory>

namespace regrain::cufft {

class HipPlan {
public:
  /// Fails with CUFFT_NOT_SUPPORTED if there is no hipFFT.
  static cufftResult create(std::unique_ptr<HipPlan> &out);
  ~HipPlan();
  HipPlan(const HipPlan &) = delete;
  HipPlan &operator=(const HipPlan &) = delete;

  cufftResult make(const Shape &shape, size_t &workSize);
  cufftResult execute(cufftType type, void *in, void *out, int direction);
  cufftResult setStream(cudaStream_t stream);
  cufftResult setWorkArea(void *memory);
  cufftResult setAutoAllocation(int allocates);

private:
  explicit HipPlan(void *handle) : handle(handle) {}
  void *handle;
};

/// Answers how much memory a plan of this shape needs.
cufftResult estimateHip(const Shape &shape, size_t &workSize);

} // namespace regrain::cufft
