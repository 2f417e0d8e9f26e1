//===- Installation.h - Paths of headers and runtime ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A build tree and an installed tree look the same from the tools' folder:
//   bin/regrain   lib/libregrain.so   lib/cuda-libraries/   lib/regrain/cuda/ include/regrain/cuda/
//   include/regrain/cuda-libraries/
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Frontend/Frontend.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace regrain {

struct Installation {
  std::string libraries;                                     ///< folder of libregrain.so
  std::string headers;                                       ///< folder of cuda_runtime.h
  std::string mathLibraries;                                 ///< folder of libcublas.so, ours
  std::string mathHeaders;                                   ///< folder of cublas_v2.h, ours
  std::vector<std::string> toolkitHeaders, toolkitLibraries; ///< folders; none without a toolkit
  unsigned cudaVersion = newestCudaVersion; ///< of the toolkit, or the nearest that is supported
  std::string toolkitRoot = {};             ///< empty without a toolkit
  std::string toolkitFolder = {};           ///< Regrain's own (ToolkitFolder.h)
};

/// Looks beside the running executable, and for a CUDA toolkit at `toolkitRoot` or, if that is
/// empty, in the usual folders. The error names the missing folder.
llvm::Expected<Installation> findInstallation(llvm::StringRef toolkitRoot);

} // namespace regrain
