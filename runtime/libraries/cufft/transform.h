//===- transform.h - A transform that FFTW can execute ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/libraries/cufft/layout.h"

#include <functional>
#include <memory>

namespace regrain::cufft {

/// A planned transform of any data of one shape, direction, and either in place or not. It can be
/// executed by several threads at a time.
class Transform {
public:
  virtual ~Transform() = default;
  virtual void execute(void *in, void *out) const = 0;
};

/// Returns whether FFTW is there for the shape's precision. If not, a line on stderr says so once.
bool canTransform(const Shape &shape);

/// Plans a transform; null if FFTW cannot.
std::shared_ptr<Transform> planTransform(const Shape &shape, int direction, bool isInPlace);

} // namespace regrain::cufft
