//===- HeaderOverlay.cpp - Our headers in the place of a toolkit's --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/HeaderOverlay.h"

#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace regrain {
namespace {

/// Returns the names of the headers in `folder` and below, relative to it.
std::vector<std::string> headersIn(StringRef folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (sys::fs::recursive_directory_iterator file(folder, failed), end; file != end && !failed;
       file.increment(failed)) {
    StringRef path = file->path();
    if (sys::fs::is_directory(path))
      continue;
    path.consume_front(folder);
    names.push_back(path.ltrim('/').str());
  }
  return names;
}

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem> overlayHeaders(StringRef ours, ArrayRef<std::string> folders) {
  IntrusiveRefCntPtr<vfs::FileSystem> real = vfs::getRealFileSystem();
  if (folders.empty())
    return real;
  std::vector<std::pair<std::string, std::string>> places;
  for (const std::string &name : headersIn(ours))
    for (const std::string &folder : folders)
      places.emplace_back(folder + "/" + name, (ours + "/" + name).str());
  return vfs::RedirectingFileSystem::create(places, /*UseExternalNames=*/true, *real);
}

} // namespace regrain
