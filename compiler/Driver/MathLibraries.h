//===- MathLibraries.h - The libraries of CUDA that Regrain has -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Driver/Installation.h"
#include "llvm/ADT/ArrayRef.h"

namespace regrain {

/// A library of CUDA that Regrain has for the CPU.
struct MathLibrary {
  llvm::StringLiteral name;
  llvm::StringLiteral own; ///< its name in libregrain-NAME.so
  const char *needs;       ///< without this it is not built; null: it is always built
};

llvm::ArrayRef<MathLibrary> mathLibraries();

/// Returns the library that `input` names, as in -lcublas or in the path of libcublas.so; null if
/// it is none of them.
const MathLibrary *findMathLibrary(llvm::StringRef input);

/// Returns the path of the library that calls Regrain's on the CPU and NVIDIA's on its GPUs; empty
/// if it is not built.
std::string switchLibrary(const Installation &installation, const MathLibrary &library);

} // namespace regrain
