//===- foreign_code.h - PTX and cubins that a program loads -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace regrain {

/// Returns whether an NVIDIA GPU runs the program.
[[nodiscard]] bool isForNvidiaGpu();

/// The names of kernels and of variables of PTX.
struct PtxNames {
  std::vector<std::string> kernels, variables;
};
[[nodiscard]] PtxNames namesIn(std::string_view ptx);

/// Returns an image of PTX, which ends with a zero, or of a cubin, for NVIDIA GPUs. It has the
/// originals of all kernels; their parameters are not known, so no launch of them can be repeated.
/// Returns nothing for other code.
[[nodiscard]] std::vector<char> imageOfForeign(const void *code);

} // namespace regrain
