//===- VendorCode.cpp - What the vendor's compiler makes of it ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/VendorCode/VendorCode.h"

#include "compiler/Target/TemporaryFile.h"
#include "compiler/Target/Tool.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace regrain {

/// Returns what the compiler says of its first error.
static std::string firstError(StringRef report) {
  while (!report.empty()) {
    auto [line, rest] = report.split('\n');
    if (line.contains("error"))
      return line.trim().str();
    report = rest;
  }
  return "it does not say why";
}

OrError<std::string> vendorPtx(const VendorCompiler &compiler, const std::string &source,
                               Architecture arch, unsigned seconds) {
  if (!compiler.obstacle.empty())
    return tl::unexpected(compiler.obstacle);
  std::unique_ptr<TemporaryFile> files[2];
  for (std::unique_ptr<TemporaryFile> &file : files) {
    Expected<std::unique_ptr<TemporaryFile>> created = TemporaryFile::create("ptx");
    if (!created)
      return tl::unexpected(toString(created.takeError()));
    file = std::move(*created);
  }
  auto &[output, log] = files;
  // These variables are part of the command line already, in Regrain's spelling.
  std::vector<std::string> command = {
      "env", "-u", "NVCC_PREPEND_FLAGS", "-u", "NVCC_APPEND_FLAGS", compiler.nvcc};
  command.insert(command.end(), compiler.arguments.begin(), compiler.arguments.end());
  command.insert(command.end(), {"-ptx", "-arch=" + arch.chip(), "-x", "cu", source, "-o",
                                 output->path.str().str()});
  ToolOptions options = {.log = StringRef(log->path)};
  if (seconds)
    options.seconds = seconds;
  ToolEnd end = runTool("/usr/bin/env", command, options);
  if (end.state != ToolEnd::State::Exited)
    return tl::unexpected("nvcc did not finish: " + end.reason);
  if (end.exitCode != 0) {
    Expected<std::string> report = readFile(log->path);
    std::string why = report ? firstError(*report) : toString(report.takeError());
    return tl::unexpected("nvcc does not compile the source: " + why);
  }
  Expected<std::string> ptx = readFile(output->path);
  if (!ptx)
    return tl::unexpected(toString(ptx.takeError()));
  return std::move(*ptx);
}

} // namespace regrain
