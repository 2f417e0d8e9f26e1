//===- Printer.h - A fuzzed kernel as CUDA source ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Ast.h"
#include <string>

namespace regrain::fuzz {

/// Returns the declarations that all kernels of a file share: the by-value
/// struct, the constants, and conversions that are defined for every value.
std::string printPrelude();

/// Returns the kernel as `extern "C" __global__ void NAME(...)`, with its
/// functions.
std::string print(const Kernel &kernel, const std::string &name);

/// Returns a program that runs the kernel once, on the data of Data.h, and
/// prints one line for each buffer: its name and a hash of its bytes.
std::string printProgram(const Kernel &kernel, const std::string &name);

/// Returns the line of such a program at which the kernel, or its first
/// function, begins.
unsigned kernelLine();

} // namespace regrain::fuzz
