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

Error Phases::explainImage(ArrayRef<ArchedDevice> arched, const ImageOptions &options,
                           std::vector<char> &bytes) {
  Expected<std::vector<char>> image = buildImage(arched, options, observer);
  devices.clear();
  if (!image)
    return image.takeError();
  bytes = std::move(*image);
  return Error::success();
}

Error Phases::explain(const Item &item) {
  if (item.isSource() && item.kind != Item::Cuda)
    return createStringError("'" + item.text + "' is not a CUDA source, so it has no kernels");
  std::vector<char> bytes;
  if (item.isSource()) {
    if (Error error = checkFile(item.text))
      return error;
    Expected<std::vector<ArchedDevice>> arched = compileDevices(frontendFor(item));
    if (!arched || line.dryRun)
      return arched.takeError();
    if (Error error = explainImage(*arched, imageFor(item), bytes))
      return error;
  } else {
    ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(item.text);
    if (!buffer)
      return createStringError("cannot read '" + item.text + "': " + buffer.getError().message());
    bytes.assign((*buffer)->getBufferStart(), (*buffer)->getBufferEnd());
  }
  Error error = reader.read(item.text, bytes);
  if (error || !item.isSource() || !line.explain.why)
    return error;
  return explainAsked(item);
}

/// Builds the grain of --why alone: that it was not proposed does not say whether it is legal.
Error Phases::explainAsked(const Item &source) {
  Expected<std::vector<ArchedDevice>> arched = compileDevices(frontendFor(source));
  if (!arched)
    return arched.takeError();
  auto isMeant = [&](const DeviceKernel &kernel) {
    return matchesKernel(line.explain.why->glob, kernel.name);
  };
  if (arched->empty() || none_of(arched->front().code->kernels, isMeant))
    return Error::success(); // the reader says that no file has such a kernel
  ImageOptions options = imageFor(source);
  options.alternatives = 0;
  options.allAlternatives = false;
  options.choices = {};
  options.coarsen = {*line.explain.why};
  std::vector<char> bytes;
  if (Error error = explainImage(*arched, options, bytes))
    return error;
  return reader.readAsked(bytes);
}

} // namespace regrain
