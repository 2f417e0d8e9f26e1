//===- Linker.cpp - Objects to one shared object --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Linker.h"

#include "compiler/Folders/Folders.h"
#include "compiler/Target/TemporaryFile.h"
#include "compiler/Target/Tool.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace regrain {

namespace {

constexpr StringLiteral linkerNames[] = {"ld.lld-19", "ld.lld"};

Expected<std::string> findLinker(StringRef what) {
  if (ErrorOr<std::string> path =
          sys::findProgramByName("ld.lld", {inFolder(thirdPartyFolder(), "bin")}))
    return *path;
  for (StringRef name : linkerNames) {
    if (ErrorOr<std::string> path = sys::findProgramByName(name))
      return *path;
    if (ErrorOr<std::string> path = sys::findProgramByName(name, {llvmToolsFolder()}))
      return *path;
  }
  return createStringError("no linker for " + what +
                           ": neither ld.lld-19 nor ld.lld is on the "
                           "PATH or in " +
                           llvmToolsFolder() + " (Debian: the package lld-19)");
}

std::string contentsOf(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().trim().str() : std::string();
}

} // namespace

Expected<std::vector<char>> linkObjects(ArrayRef<std::vector<char>> objects,
                                        ArrayRef<StringRef> flags, StringRef what) {
  Expected<std::string> linker = findLinker(what);
  if (!linker)
    return linker.takeError();
  SmallString<128> folder;
  if (std::error_code error = sys::fs::createUniqueDirectory("regrain-link", folder))
    return cannotCreateTemporary(error);
  auto removeFolder = make_scope_exit([&] { sys::fs::remove_directories(folder); });

  std::string output = (folder + "/image.so").str(), messages = (folder + "/messages").str();
  std::vector<std::string> arguments = {*linker, "-shared", "--build-id=none", "-o", output};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  for (auto [index, object] : enumerate(objects)) {
    arguments.push_back((folder + "/" + Twine(index) + ".o").str());
    if (Error error = writeFile(arguments.back(), object))
      return error;
  }
  ToolEnd end = runTool(*linker, arguments, {.log = messages});
  if (!end.isSuccess())
    return createStringError(
        "linking " + what + " failed: " + (end.reason.empty() ? contentsOf(messages) : end.reason));
  auto image = MemoryBuffer::getFile(output, /*IsText=*/false, false);
  if (!image)
    return createStringError(image.getError(), "cannot read the linked " + what);
  return std::vector<char>((*image)->getBufferStart(), (*image)->getBufferEnd());
}

} // namespace regrain
