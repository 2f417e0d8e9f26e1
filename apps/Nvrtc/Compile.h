//===- Nvrtc/Compile.h - One compilation of nvrtc ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <map>
#include <string>
#include <vector>

namespace regrain::nvrtc {

struct Source {
  std::string text;
  std::string name;                           ///< in messages
  std::map<std::string, std::string> headers; ///< by the name in #include
  /// Each denotes a kernel or a variable, such as "a::scale<float>".
  std::vector<std::string> expressions;
};

struct Result {
  bool isCompiled = false;
  bool hasBadOption = false;     ///< an empty program does not compile with the options
  bool hasBadExpression = false; ///< the rest of the program is right
  std::string log;
  std::string code;                                ///< PTX that ends in NUL, or an image
  std::string cubin;                               ///< empty: not asked for
  std::map<std::string, std::string> loweredNames; ///< by expression
};

/// Compiles for the device that runs the program, by regrain-nvcc in a process of its own: the
/// compiler's LLVM meets no other one, and a failure ends only that process.
[[nodiscard]] Result compile(const Source &source, const std::vector<std::string> &options);

} // namespace regrain::nvrtc
