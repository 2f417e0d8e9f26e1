//===- RandomNest.h - Small random kernels in grain IR ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace regrain {

/// A kernel of `ptr`, `ptr`, i32 and i64 parameters, as MLIR text.
struct RandomNest {
  std::string text;
  std::array<uint32_t, 3> factors = {1, 1, 1}; ///< of its blocks
  std::array<uint32_t, 3> shape = {};          ///< 0: the program's block
};

/// Returns loops and conditions of a few iterations around accesses at numbers
/// of every width, which are made from coordinates, sizes, parameters and
/// loaded values.
RandomNest drawNest(uint64_t seed);

} // namespace regrain
