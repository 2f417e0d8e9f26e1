//===- Tokens.cpp - From the tokens of a command line to its options ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/CommandLineParser.h"
#include "compiler/Driver/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace llvm::opt;
using namespace regrain::options;

namespace regrain {

std::vector<std::string> splitPassedOn(StringRef list) {
  std::string blanks;
  for (size_t i = 0; i < list.size(); ++i) {
    if (list.substr(i).starts_with("\\,"))
      blanks += list[++i];
    else
      blanks += list[i] == ',' ? ' ' : list[i];
  }
  BumpPtrAllocator storage;
  StringSaver saver(storage);
  SmallVector<const char *> tokens;
  cl::TokenizeGNUCommandLine(blanks, saver, tokens);
  return {tokens.begin(), tokens.end()};
}

/// Joins nvcc's "-Werror all-warnings" and "-O 3" to one token; without a value of nvcc they are
/// clang's options.
static void joinToValues(SmallVectorImpl<const char *> &tokens, StringSaver &saver) {
  constexpr StringLiteral kinds[] = {
      "all-warnings",           "cross-execution-space-call", "reorder",
      "default-stream-launch",  "missing-launch-bounds",      "ext-lambda-captures-this",
      "deprecated-declarations"};
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    StringRef option = tokens[i], value = tokens[i + 1];
    bool isLevel = option == "-O" && value.size() == 1 && isDigit(value.front());
    bool namesKinds = (option == "-Werror" || option == "--Werror") &&
                      is_contained(kinds, value.split(',').first);
    if (!isLevel && !namesKinds)
      continue;
    tokens[i] = saver.save(isLevel ? "-O" + value : "-Werror=" + value).data();
    tokens.erase(tokens.begin() + i + 1);
  }
}

/// Replaces each -optf in `tokens`, which `args` were parsed from, by the contents of its files.
static Error readOptionFiles(const InputArgList &args, StringSaver &saver,
                             SmallVectorImpl<const char *> &tokens) {
  tokens.clear();
  for (const Arg *arg : args) {
    if (!arg->getOption().matches(OPT_optf)) {
      ArgStringList strings;
      arg->render(args, strings);
      for (const char *text : strings)
        tokens.push_back(saver.save(text).data());
      continue;
    }
    SmallVector<StringRef> files;
    StringRef(arg->getValue()).split(files, ',', -1, /*KeepEmpty=*/false);
    for (StringRef file : files) {
      ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(file);
      if (!buffer)
        return createStringError("option '" + arg->getAsString(args) + "': '" + file +
                                 "': " + buffer.getError().message());
      cl::TokenizeGNUCommandLine((*buffer)->getBuffer(), saver, tokens);
    }
  }
  return Error::success();
}

Expected<CommandLine> parseForDeviceLink(const CommandLine &line,
                                         ArrayRef<std::string> objectOptions) {
  auto parse = [](ArrayRef<std::string> strings) {
    SmallVector<const char *> tokens;
    for (const std::string &text : strings)
      tokens.push_back(text.c_str());
    unsigned missingIndex = 0, missingCount = 0;
    return table().ParseArgs(tokens, missingIndex, missingCount);
  };
  auto isTarget = [](const Arg *arg) {
    return any_of(std::initializer_list<unsigned>{OPT_arch, OPT_gpu_code, OPT_gencode,
                                                  OPT_offload_arch, OPT_targets_eq},
                  [&](unsigned option) { return arg->getOption().matches(option); });
  };
  InputArgList own = parse(line.arguments), ofObject = parse(objectOptions);
  bool namesTargets = any_of(own, isTarget);
  std::vector<std::string> all;
  for (const Arg *arg : ofObject) {
    ArgStringList strings;
    arg->render(ofObject, strings);
    if (isTarget(arg) ? !namesTargets : !own.hasArg(arg->getOption().getID()))
      all.insert(all.end(), strings.begin(), strings.end());
  }
  all.insert(all.end(), line.arguments.begin(), line.arguments.end());
  SmallVector<const char *> tokens;
  for (const std::string &text : all)
    tokens.push_back(text.c_str());
  return parseCommandLine(tokens);
}

Expected<CommandLine> parseCommandLine(ArrayRef<const char *> arguments) {
  BumpPtrAllocator storage;
  StringSaver saver(storage);
  SmallVector<const char *> expanded(arguments.begin(), arguments.end());
  if (!cl::ExpandResponseFiles(saver, cl::TokenizeGNUCommandLine, expanded))
    return createStringError("a response file cannot be read");

  joinToValues(expanded, saver);
  unsigned missingIndex = 0, missingCount = 0;
  InputArgList args = table().ParseArgs(expanded, missingIndex, missingCount);
  // A file of options may name another one; deeper nesting is taken for a cycle.
  constexpr unsigned deepest = 16;
  for (unsigned depth = 0; args.hasArg(OPT_optf) && !missingCount; ++depth) {
    if (depth == deepest)
      return createStringError("option '-optf': files of options name each other");
    if (Error error = readOptionFiles(args, saver, expanded))
      return std::move(error);
    joinToValues(expanded, saver);
    args = table().ParseArgs(expanded, missingIndex, missingCount);
  }
  if (missingCount)
    return createStringError("option '" + Twine(args.getArgString(missingIndex)) +
                             "' needs a value");
  Expected<CommandLine> line = CommandLineParser(args).parse();
  if (line)
    line->arguments.assign(expanded.begin(), expanded.end());
  return line;
}

} // namespace regrain
