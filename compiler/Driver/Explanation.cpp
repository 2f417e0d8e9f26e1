//===- Explanation.cpp - regrain explain ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Driver/Phases.h"
#include "compiler/Report/Explain.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <iostream>

using namespace llvm;

namespace regrain {

Error Phases::explain(const Item &item) {
  if (item.isSource() && item.kind != Item::Cuda)
    return createStringError("'" + item.text + "' is no CUDA source: it has no kernels");
  std::vector<char> bytes;
  if (item.isSource()) {
    if (!sys::fs::exists(item.text))
      return createStringError("no such file: '" + item.text + "'");
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
  std::string problem;
  std::vector<EmbeddedImage> images = findImages(bytes, problem);
  if (!problem.empty())
    return createStringError(item.text + ": " + problem);
  if (images.empty())
    return createStringError(item.text + " holds no Regrain image");
  explained.push_back(report::makeReport(item.text, images));
  Error damage = Error::success();
  for (const report::DamagedImage &damaged : explained.back().damaged)
    damage = joinErrors(std::move(damage), createStringError(item.text + ": " + damaged.message));
  return damage;
}

void Phases::writeExplanations() const {
  std::vector<report::FileExplanation> files;
  for (const report::FileReport &file : explained)
    files.push_back(report::explain(file));
  if (line.json)
    report::writeJson(files, std::cout);
  else
    report::writeText(files, std::cout);
}

} // namespace regrain
