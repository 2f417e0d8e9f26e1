//===- Installation.cpp - Paths of headers and runtime --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/Installation.h"
#include "compiler/Target/CudaToolkit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace llvm;

namespace regrain {

Expected<Installation> findInstallation(StringRef toolkitRoot) {
  std::string root = ownRoot();
  SmallString<128> libraries(root), headers(root), mathLibraries(root), mathHeaders(root);
  sys::path::append(libraries, "lib");
  sys::path::append(headers, "include", "regrain", "cuda");
  sys::path::append(mathLibraries, "lib", "cuda-libraries");
  sys::path::append(mathHeaders, "include", "regrain", "cuda-libraries");
  if (!sys::fs::is_directory(headers))
    return createStringError("the CUDA headers are not at " + headers +
                             "; Regrain is not completely installed");
  Installation found = {libraries.str().str(),
                        headers.str().str(),
                        mathLibraries.str().str(),
                        mathHeaders.str().str(),
                        {},
                        {},
                        newestCudaVersion,
                        {},
                        ownToolkitFolder()};
  if (std::optional<CudaToolkit> toolkit = findCudaToolkit(toolkitRoot)) {
    found.toolkitHeaders = std::move(toolkit->headers);
    found.toolkitLibraries = std::move(toolkit->libraries);
    if (toolkit->version)
      found.cudaVersion = std::clamp(toolkit->version, oldestCudaVersion, newestCudaVersion);
    found.toolkitRoot = std::move(toolkit->root);
  }
  return found;
}

} // namespace regrain
