//===- AffineTerms.h - The simplest affine forms ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Affine.h"

namespace regrain {

/// Returns the form of a number.
[[nodiscard]] inline Affine constantForm(int64_t value) {
  Affine form;
  form.constant = value;
  return form;
}

/// Returns the form of a value that stands for itself.
[[nodiscard]] inline Affine variableForm(mlir::Value value) {
  Affine form;
  form.summands.push_back({{value}, 1});
  return form;
}

} // namespace regrain
