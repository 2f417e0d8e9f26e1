//===- CudaToolkit.h - Where a CUDA toolkit is ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing here needs a toolkit. If there is one, its assembler and math library make code for
// NVIDIA's GPUs, and programs can use its libraries.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Folders/Folders.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace regrain {

/// Returns Regrain's own folder that looks like a toolkit. It exists if Regrain is completely built
/// or installed.
std::string ownToolkitFolder();

/// Returns the folders that may be a toolkit, best first: only `given` if it is not empty,
/// otherwise what the environment names, the toolkit of the nvcc on PATH, and the usual folders.
/// Regrain's own folder is none: where it is named, the others are taken.
std::vector<std::string> toolkitRoots(llvm::StringRef given);

/// A toolkit with headers.
struct CudaToolkit {
  std::string root;
  std::vector<std::string> headers;   ///< folders of its headers and of those of CCCL
  std::vector<std::string> libraries; ///< folders of its libraries, and of stubs for linking
  unsigned version = 0;               ///< as CUDA_VERSION in its headers: 12050; 0: unknown
};

/// Returns the first toolkit among toolkitRoots(`given`) that has headers.
std::optional<CudaToolkit> findCudaToolkit(llvm::StringRef given);

} // namespace regrain
