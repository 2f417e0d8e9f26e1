//===- Toolkit.cpp - Paths of NVIDIA's tools and math library -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Toolkit.h"

#include "compiler/Target/CudaToolkit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace regrain::nvptx {

static std::string firstFile(ArrayRef<std::string> roots, ArrayRef<StringRef> names) {
  for (const std::string &root : roots) {
    for (StringRef name : names) {
      SmallString<128> path(root);
      sys::path::append(path, name);
      if (sys::fs::is_regular_file(path))
        return std::string(path);
    }
  }
  return {};
}

Toolkit findToolkit(const NVPTXOptions &options) {
  Toolkit found;
  if (options.useToolkit) {
    std::vector<std::string> roots = toolkitRoots(options.toolkit);
    found.ptxas = firstFile(roots, {"bin/ptxas"});
    found.libdevice =
        firstFile(roots, {"nvvm/libdevice/libdevice.10.bc", "libdevice/libdevice.10.bc"});
  }
  std::vector<std::string> clc = {inFolder(thirdPartyFolder(), "clc"), "/usr/lib/clc",
                                  "/usr/share/clc", "/usr/local/share/clc"};
  if (!options.libclc.empty())
    clc = {options.libclc};
  found.libclc = firstFile(clc, {"nvptx64--nvidiacl.bc", "nvptx64--.bc"});
  return found;
}

} // namespace regrain::nvptx
