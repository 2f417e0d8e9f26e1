//===- CompileObserver.h - How far the grains of a file are -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <string>

namespace regrain {

/// How far the modules of a file are. More become known while they are compiled, because grains
/// that are refused give way to others.
struct CompileState {
  std::string source;
  std::string kernel, grain; ///< begun last; empty: the originals
  size_t done = 0, known = 0;
};

/// Shows how far compiling is. Any threads may call.
class CompileObserver {
public:
  virtual ~CompileObserver() = default;
  virtual void update(const CompileState &state) = 0;
  /// Nothing is compiled any more, and others may write to the terminal.
  virtual void finish() = 0;
};

} // namespace regrain
