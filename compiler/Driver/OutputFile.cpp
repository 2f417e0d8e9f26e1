//===- OutputFile.cpp - Files that appear whole or not at all -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/OutputFile.h"
#include "compiler/Target/TemporaryFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regrain {
namespace {

Error cannotWrite(StringRef path, std::error_code code) {
  return createStringError("cannot write '" + path + "': " + code.message());
}

bool isWrittenDirectly(StringRef path) {
  sys::fs::file_status status;
  return !sys::fs::status(path, status) && sys::fs::exists(status) &&
         !sys::fs::is_regular_file(status);
}

} // namespace

OutputFile::OutputFile(std::string temporaryPath, std::string path)
    : temporary(std::move(temporaryPath)), finalPath(std::move(path)) {
  if (temporary != finalPath)
    sys::RemoveFileOnSignal(temporary);
}

OutputFile::OutputFile(OutputFile &&other)
    : temporary(std::exchange(other.temporary, "")), finalPath(std::move(other.finalPath)) {}

Expected<OutputFile> OutputFile::create(StringRef path) {
  if (sys::fs::is_directory(path))
    return cannotWrite(path, make_error_code(std::errc::is_a_directory));
  if (isWrittenDirectly(path))
    return OutputFile(path.str(), path.str());
  int descriptor = -1;
  SmallString<128> temporary;
  if (std::error_code code =
          sys::fs::createUniqueFile(path + ".%%%%%%.tmp", descriptor, temporary, sys::fs::OF_None,
                                    sys::fs::all_read | sys::fs::all_write))
    return cannotWrite(path, code);
  OutputFile file(temporary.str().str(), path.str());
  if (std::error_code code = sys::Process::SafelyCloseFileDescriptor(descriptor))
    return cannotWrite(path, code);
  return file;
}

Expected<OutputFile> OutputFile::createTemporary(StringRef name, StringRef extension) {
  SmallString<128> temporary;
  if (std::error_code code = sys::fs::createTemporaryFile(name, extension, temporary))
    return cannotCreateTemporary(code);
  return OutputFile(temporary.str().str(), "");
}

OutputFile::~OutputFile() { release(); }

void OutputFile::release() {
  if (temporary.empty() || temporary == finalPath)
    return;
  // A file that cannot be removed is left behind, because nobody can be told.
  std::error_code ignored = sys::fs::remove(temporary);
  (void)ignored;
  sys::DontRemoveFileOnSignal(temporary);
  temporary.clear();
}

Error OutputFile::write(ArrayRef<char> bytes) {
  std::error_code code;
  raw_fd_ostream out(temporary, code);
  if (code)
    return cannotWrite(finalPath, code);
  out.write(bytes.data(), bytes.size());
  out.close();
  if (out.has_error()) {
    code = out.error();
    out.clear_error();
    return cannotWrite(finalPath, code);
  }
  return Error::success();
}

Error OutputFile::keep() {
  if (temporary == finalPath)
    return Error::success();
  if (std::error_code code = sys::fs::rename(temporary, finalPath))
    return cannotWrite(finalPath, code);
  sys::DontRemoveFileOnSignal(temporary);
  temporary.clear();
  return Error::success();
}

} // namespace regrain
