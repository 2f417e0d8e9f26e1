//===- format.h - printf from a packed buffer -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>

namespace regrain::cpu {

/// Formats like CUDA's device printf: `args` has the arguments one after the
/// other, each aligned to its size; float is stored as double, char and short as
/// int. A conversion that C does not know is copied unchanged; %n is skipped.
/// Returns the number of arguments read.
int formatPacked(const char *format, const void *args, std::string &out);

} // namespace regrain::cpu
