//===- Folders.cpp - Where Regrain and its tools lie ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Folders/Folders.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace regrain {

std::string inFolder(StringRef folder, StringRef name) {
  SmallString<128> path(folder);
  sys::path::append(path, name);
  return path.str().str();
}

std::string ownRoot() {
  // The address of any function of the executable will do.
  std::string executable = sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&ownRoot));
  return sys::path::parent_path(sys::path::parent_path(executable)).str();
}

std::string thirdPartyFolder() { return inFolder(ownRoot(), "lib/third-party"); }

StringRef llvmToolsFolder() {
  static const std::string folder = [] {
    std::string own = inFolder(thirdPartyFolder(), "bin");
    return sys::fs::exists(inFolder(own, "clang++")) ? own : std::string(REGRAIN_LLVM_TOOLS);
  }();
  return folder;
}

} // namespace regrain
