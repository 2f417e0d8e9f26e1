//===- ToolkitFolder.h - A folder that looks like a toolkit -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build systems look for the folder in which a CUDA toolkit is installed. This is one for them:
//   bin/nvcc      regrain-nvcc          bin/regrain-link   the same, as a linker
//   include/      Regrain's headers     lib64/             Regrain's runtime as libcudart
// All else in it are links to the toolkit, if there is one; for cuBLAS and the like these are
// linker scripts (docs/decisions/0057-the-libraries-of-cuda-on-the-cpu.md).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Driver/Installation.h"
#include "llvm/ADT/ArrayRef.h"

namespace regrain {

/// Returns the release that build systems see in the place of `cudaVersion` (as CUDART_VERSION has
/// it): "13.0", and with the number of a build "13.0.40".
std::string emulatedRelease(unsigned cudaVersion);
std::string emulatedVersion(unsigned cudaVersion);

/// Writes the folder anew. The error names the file that cannot be written.
llvm::Error writeToolkitFolder(const Installation &installation);

/// Returns the lines with which nvcc -v begins. Build systems read from them where the toolkit is,
/// which libraries a program is linked with, and the architectures of device code.
std::string describeToolkitFolder(const Installation &installation,
                                  llvm::ArrayRef<Architecture> architectures);

/// Returns commands that link `inputs` to `output` from outside, for CMake to read. It takes the
/// first command whose program is called ld for that of the linker, and the libraries and folders
/// in it for those that the compiler adds to each link. It takes the program of the last command
/// for its own links, so that one must have another name.
std::vector<std::string> foreignLinks(const Installation &installation,
                                      llvm::ArrayRef<std::string> inputs, llvm::StringRef output);

} // namespace regrain
