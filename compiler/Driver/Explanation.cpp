//===- Explanation.cpp - regrain explain ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Driver/Phases.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace regrain {

Error Phases::explain(const Item &item) {
  if (item.isSource() && item.kind != Item::Cuda)
    return createStringError("'" + item.text + "' is not a CUDA source, so it has no kernels");
  std::vector<char> bytes;
  if (item.isSource()) {
    if (!sys::fs::exists(item.text))
      return noSuchFile(item.text);
    Expected<std::vector<ArchedDevice>> arched = compileDevices(frontendFor(item));
    if (!arched || line.dryRun)
      return arched.takeError();
    Expected<std::vector<char>> image = buildImage(*arched, imageFor(item));
    devices.clear();
    if (!image)
      return image.takeError();
    bytes = std::move(*image);
  } else {
    ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(item.text);
    if (!buffer)
      return createStringError("cannot read '" + item.text + "': " + buffer.getError().message());
    bytes.assign((*buffer)->getBufferStart(), (*buffer)->getBufferEnd());
  }
  return reader.read(item.text, bytes);
}

} // namespace regrain
