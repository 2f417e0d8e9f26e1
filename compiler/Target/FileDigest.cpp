//===- FileDigest.cpp - Digest of a file's contents -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/FileDigest.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace regrain {

Expected<std::string> digestOfFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file =
      MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return createStringError(file.getError(),
                             "cannot read " + path + ": " + file.getError().message());
  return toHex(BLAKE3::hash<16>(arrayRefFromStringRef((*file)->getBuffer())), /*LowerCase=*/true);
}

} // namespace regrain
