//===- HeaderOverlay.h - Our headers in the place of a toolkit's -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header of a toolkit's library names other headers by quotes, and the folder of the header
// itself is searched first: "driver_types.h" in cublas_api.h is the file beside it. Two headers for
// the same names do not agree in one source, so a file system in memory has ours under both paths.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>

namespace regrain {

/// Returns the files of this machine, where each header of folder `ours` is also found under its
/// name in each of `folders`. The paths of such files are those in `ours`.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> overlayHeaders(llvm::StringRef ours,
                                                               llvm::ArrayRef<std::string> folders);

/// Returns the contents of the file that clang's -ivfsoverlay reads for the same effect.
std::string overlayText(llvm::StringRef ours, llvm::ArrayRef<std::string> folders);

} // namespace regrain
