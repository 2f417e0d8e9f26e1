//===- Driver.h - regrain cc ------------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is a compiler driver that accepts nvcc's and clang's flags. For each .cu file it compiles
// the device side for each __CUDA_ARCH__, builds the image from it, and compiles the host side with
// the image embedded. Other sources go to the host compiler, which also links.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/grain.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace regrain {

class CompileObserver;

/// How --explain explains.
struct ExplainForm {
  bool json = false;
  std::optional<GrainRequest> why; ///< --why: the only grain that is explained
};

/// Receives what --explain names: the image of each source, the bytes of each built file.
class ImageReader {
public:
  virtual ~ImageReader() = default;
  virtual llvm::Error read(const std::string &file, llvm::ArrayRef<char> bytes) = 0;
  /// Receives the image of the same source, with the grain of --why and no others.
  virtual llvm::Error readAsked(llvm::ArrayRef<char> bytes) = 0;
  /// Is called after the last file, even if some files could not be read. Returns the exit code.
  virtual int finish(const ExplainForm &form) = 0;
};

/// Runs the compiler driver, whose messages name `tool`. NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS
/// are added around the arguments. Returns the exit code: 0, or 1 after any error, or that of the
/// reader. `observer` hears how far compiling is; it may be null.
int runDriver(llvm::StringRef tool, llvm::ArrayRef<char *> arguments, ImageReader &reader,
              CompileObserver *observer);

} // namespace regrain
