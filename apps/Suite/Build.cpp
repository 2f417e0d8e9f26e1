//===- Build.cpp - Build a program with its own Makefile ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Suite/Build.h"

#include "apps/Process/Child.h"
#include "apps/Process/Run.h"
#include "apps/Report/FileReport.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <regex>
#include <string_view>

namespace fs = std::filesystem;

namespace regrain::suite {
namespace {

/// Build systems use these names for the toolkit's folder.
constexpr const char *toolkitNames[] = {"CUDA_HOME",         "CUDA_PATH",         "CUDA_DIR",
                                        "CUDA_ROOT",         "CUDA_TOOLKIT_PATH", "CUDADIR",
                                        "CUDA_INSTALL_PATH", "CUDA_INSTALL_DIR"};

std::string before(const fs::path &folder, const char *variable) {
  const char *value = std::getenv(variable);
  return std::string(variable) + "=" + folder.string() +
         (value && *value ? ":" + std::string(value) : "");
}

/// Returns whether a value's first word is an nvcc; `rest` becomes the text
/// after it.
bool beginsWithNvcc(const std::string &value, std::string &rest) {
  size_t end = std::min(value.find_first_of(" \t"), value.size());
  std::string_view word = std::string_view(value).substr(0, end);
  rest = value.substr(end);
  return word == "nvcc" || word.ends_with("/nvcc");
}

/// Returns whether a value is the path of a toolkit: its last folder is cuda, cuda-12.4 or
/// similar.
bool namesToolkit(const std::string &value) {
  static const std::regex toolkit("/([^ ]*/)?cuda[-.0-9]*/?[ \t]*");
  return std::regex_match(value, toolkit);
}

/// Returns whether a file is a linked ELF file: a program or a shared object.
bool isLinked(const std::vector<char> &contents) {
  if (contents.size() < sizeof(Elf64_Ehdr) || std::memcmp(contents.data(), ELFMAG, SELFMAG) != 0)
    return false;
  Elf64_Ehdr header;
  std::memcpy(&header, contents.data(), sizeof(header));
  return header.e_type == ET_EXEC || header.e_type == ET_DYN;
}

/// Returns the file's bytes if it begins as ELF files do.
std::vector<char> readElf(const fs::path &path) {
  std::ifstream stream(path, std::ios::binary);
  char magic[SELFMAG] = {};
  if (!stream.read(magic, SELFMAG) || std::memcmp(magic, ELFMAG, SELFMAG) != 0)
    return {};
  stream.seekg(0);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void addKernel(std::vector<KernelResult> &kernels, const report::KernelReport &kernel) {
  auto known = std::ranges::find(kernels, kernel.name, &KernelResult::name);
  if (known == kernels.end())
    known = kernels.insert(known, KernelResult{kernel.name, {}});
  for (const report::AlternativeReport &alternative : kernel.alternatives) {
    bool hasCode = std::ranges::any_of(
        alternative.code, [](const report::CodeReport &code) { return !code.symbol.empty(); });
    if (hasCode && !alternative.grain.isOriginal() &&
        std::ranges::find(known->alternatives, alternative.id, &AlternativeResult::id) ==
            known->alternatives.end())
      known->alternatives.push_back({alternative.id, false, "", Verdict::NotAsked, ""});
  }
}

} // namespace

std::vector<std::string> environmentFor(const Workspace &workspace,
                                        const std::vector<std::string> &added) {
  std::vector<std::string> environment = {before(workspace.toolkit / "bin", "PATH"),
                                          before(workspace.toolkit / "lib64", "LD_LIBRARY_PATH"),
                                          before(workspace.toolkit / "lib64", "LIBRARY_PATH")};
  for (const char *name : toolkitNames)
    environment.push_back(std::string(name) + "=" + workspace.toolkit.string());
  environment.insert(environment.end(), added.begin(), added.end());
  return process::environmentWith(environment, [](std::string_view name) {
    return name.starts_with("NVCC_") || name.starts_with("REGRAIN_") || name.starts_with("MAKE");
  });
}

std::vector<std::string> replacements(const fs::path &folder, const fs::path &log,
                                      const Workspace &workspace, const Options &options) {
  std::string compiler = (workspace.toolkit / "bin" / "nvcc").string();
  std::map<std::string, std::string> values = {{"NVCC", compiler}};
  for (const char *name : toolkitNames)
    values[name] = workspace.toolkit.string();
  // -q makes nothing; its exit status is not needed.
  process::run(
      {{"make", "-pq"}, folder, environmentFor(workspace), log, "/dev/null", options.limit});
  static const std::regex assignment("([A-Za-z_][A-Za-z_0-9]*) :?:?= ?(.*)");
  std::ifstream stream(log);
  bool inMakefile = false;
  for (std::string line; std::getline(stream, line);) {
    std::smatch match;
    std::string rest;
    if (line.starts_with("#"))
      inMakefile = line.starts_with("# makefile");
    else if (inMakefile && std::regex_match(line, match, assignment)) {
      if (beginsWithNvcc(match[2], rest))
        values[match[1]] = compiler + rest;
      else if (namesToolkit(match[2]))
        values[match[1]] = workspace.toolkit.string();
    }
  }
  std::vector<std::string> arguments;
  for (const auto &[name, value] : values)
    arguments.push_back(name + "=" + value);
  return arguments;
}

StepResult build(const fs::path &folder, const fs::path &log,
                 const std::vector<std::string> &replaced, const Workspace &workspace,
                 const Options &options) {
  std::string flags = "NVCC_APPEND_FLAGS=--targets=" + options.targets;
  if (options.alternatives != "0")
    flags += " --alternatives=" + options.alternatives;
  // -B rebuilds everything: files that a suite includes already built come from
  // another compiler.
  process::Command command = {{"make", "-B"}, folder, environmentFor(workspace, {flags}), log, log,
                              options.limit};
  command.arguments.insert(command.arguments.end(), replaced.begin(), replaced.end());
  process::Ended ended = process::run(command);
  if (ended.succeeded)
    return {Verdict::Right, "", ended.seconds};
  return {Verdict::NotPossible, "make: " + ended.how + "\n" + tailOf(log, 8), ended.seconds};
}

std::vector<KernelResult> kernelsIn(const fs::path &folder) {
  std::vector<KernelResult> kernels;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.is_symlink())
      continue;
    std::vector<char> contents = readElf(entry.path());
    if (!isLinked(contents))
      continue;
    FoundImages found = findImages(contents);
    for (const report::ImageReport &image : report::makeReport("", found.images).images)
      for (const report::KernelReport &kernel : image.kernels)
        addKernel(kernels, kernel);
  }
  std::ranges::sort(kernels, {}, &KernelResult::name);
  return kernels;
}

} // namespace regrain::suite
