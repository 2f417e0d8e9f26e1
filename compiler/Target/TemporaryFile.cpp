//===- TemporaryFile.cpp - Files for tools that the compiler runs -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/TemporaryFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regrain {

Error cannotCreateTemporary(std::error_code code) {
  SmallString<128> folder;
  sys::path::system_temp_directory(/*erasedOnReboot=*/true, folder);
  return createStringError(code,
                           "cannot create a temporary file in '" + folder + "': " + code.message());
}

Expected<std::unique_ptr<TemporaryFile>> TemporaryFile::create(StringRef suffix) {
  auto file = std::make_unique<TemporaryFile>();
  if (std::error_code code = sys::fs::createTemporaryFile("regrain", suffix, file->path))
    return cannotCreateTemporary(code);
  file->remover.setFile(file->path);
  return file;
}

Error writeFile(StringRef path, ArrayRef<char> contents) {
  std::error_code code;
  raw_fd_ostream stream(path, code);
  if (!code) {
    stream.write(contents.data(), contents.size());
    stream.close();
    code = stream.error();
    stream.clear_error();
  }
  if (code)
    return createStringError(code, "cannot write " + path + ": " + code.message());
  return Error::success();
}

Expected<std::string> readFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError(buffer.getError(),
                             "cannot read " + path + ": " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

} // namespace regrain
