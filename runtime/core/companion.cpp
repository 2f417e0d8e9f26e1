//===- companion.cpp - Libraries beside the runtime -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/companion.h"

#include <dlfcn.h>

namespace regrain {

/// Returns the folder with a slash at its end.
static std::string ownFolder() {
  Dl_info info;
  static const char anchor = 0;
  if (!dladdr(&anchor, &info) || !info.dli_fname)
    return {};
  std::string path = info.dli_fname;
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

OrError<void *> openCompanion(const char *name, int scope) {
  int mode = RTLD_NOW | RTLD_NODELETE | scope;
  if (std::string folder = ownFolder(); !folder.empty())
    if (void *library = dlopen((folder + name).c_str(), mode))
      return library;
  if (void *library = dlopen(name, mode))
    return library;
  return tl::make_unexpected(dlerror());
}

} // namespace regrain
