//===- Driver.h - regrain cc ------------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiler driver that takes nvcc's and clang's flags. For each .cu file:
// the device side for each __CUDA_ARCH__, the image from it, the host side
// with the image embedded. Other sources go to the host compiler, which also
// links.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace regrain {

/// Takes what --explain names: the image of each source, the bytes of each built file.
class ImageReader {
public:
  virtual ~ImageReader() = default;
  virtual llvm::Error read(const std::string &file, llvm::ArrayRef<char> bytes) = 0;
  /// Follows the last file, also where some could not be read.
  virtual void finish(bool json) = 0;
};

/// Runs the compiler driver, whose messages name `tool`. NVCC_PREPEND_FLAGS and
/// NVCC_APPEND_FLAGS are put around the arguments. Returns the exit code: 0, or
/// 1 after any error.
int runDriver(llvm::StringRef tool, llvm::ArrayRef<char *> arguments, ImageReader &reader);

} // namespace regrain
