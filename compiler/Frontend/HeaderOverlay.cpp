//===- HeaderOverlay.cpp - Our headers in the place of a toolkit's --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/HeaderOverlay.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

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

std::string pathOf(StringRef folder, StringRef name) {
  SmallString<128> path(folder);
  sys::path::append(path, name);
  return path.str().str();
}

/// Returns pairs: a path in one of `folders`, and the path in `ours` that replaces it.
std::vector<std::pair<std::string, std::string>> replacements(StringRef ours,
                                                              ArrayRef<std::string> folders) {
  std::vector<std::pair<std::string, std::string>> places;
  for (const std::string &name : headersIn(ours))
    for (const std::string &folder : folders)
      places.emplace_back(pathOf(folder, name), pathOf(ours, name));
  return places;
}

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem> overlayHeaders(StringRef ours, ArrayRef<std::string> folders) {
  IntrusiveRefCntPtr<vfs::FileSystem> real = vfs::getRealFileSystem();
  if (folders.empty())
    return real;
  return vfs::RedirectingFileSystem::create(replacements(ours, folders),
                                            /*UseExternalNames=*/true, *real);
}

std::string overlayText(StringRef ours, ArrayRef<std::string> folders) {
  vfs::YAMLVFSWriter writer;
  for (auto &[place, header] : replacements(ours, folders)) {
    SmallString<128> absolute(place);
    sys::fs::make_absolute(absolute);
    writer.addFileMapping(absolute, header);
  }
  std::string text;
  raw_string_ostream out(text);
  writer.write(out);
  return text;
}

} // namespace regrain
