//===- say.h - Messages of the tuning library -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdio>
#include <string>

namespace regrain {

/// Writes "regrain: MESSAGE" and a newline to stderr in one piece.
inline void sayTuning(const std::string &message) {
  std::fputs(("regrain: " + message + "\n").c_str(), stderr);
}

} // namespace regrain
