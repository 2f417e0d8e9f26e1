//===- LinkObject.h - The object that a device link writes ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace regrain {

/// Returns a host object with the image and the functions `registrations`. Each host object of the
/// program calls one of these before main() with a function that registers its kernels and
/// variables. The first call registers the image, for all, with the release `cudaVersion`. The
/// functions are hidden, so that each program and each shared library has its own.
llvm::Expected<std::vector<char>> makeLinkObject(llvm::ArrayRef<char> image,
                                                 llvm::ArrayRef<std::string> registrations,
                                                 unsigned cudaVersion);

} // namespace regrain
