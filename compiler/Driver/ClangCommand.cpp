//===- ClangCommand.cpp - A compile as clang would be called --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Driver/ClangCommand.h"

#include "compiler/Driver/HostCompiler.h"
#include "compiler/Target/CudaToolkit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace regrain {

bool isOwnCompiler(StringRef program) {
  ErrorOr<std::string> found = sys::findProgramByName(program);
  return found && sys::fs::equivalent(*found, ownRoot() + "/bin/regrain-nvcc");
}

Expected<std::vector<std::string>> clangCommand(ArrayRef<std::string> arguments) {
  SmallVector<const char *> tokens;
  for (const std::string &argument : arguments)
    tokens.push_back(argument.c_str());
  Expected<CommandLine> line = parseCommandLine(tokens);
  if (!line)
    return line.takeError();
  auto isSource = [](const Item &item) { return item.isSource(); };
  if (count_if(line->items, isSource) != 1)
    return createStringError("there is not one source");
  const Item &source = *find_if(line->items, isSource);
  Expected<Installation> installation = findInstallation(line->toolkitRoot);
  if (!installation)
    return installation.takeError();
  if (source.kind != Item::Cuda)
    return compileCommand(*line, *installation, source, line->output, {});
  FrontendOptions options = line->frontend;
  options.source = source.text;
  options.headers = installation->headers;
  options.toolkitHeaders = installation->toolkitHeaders;
  options.architectures = line->deviceArchitectures;
  return hostCommand(options, line->output);
}

} // namespace regrain
