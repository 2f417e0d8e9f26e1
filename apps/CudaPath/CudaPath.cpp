//===- CudaPath.cpp - regrain cuda-path -----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/CudaPath/CudaPath.h"

#include "apps/Arguments/Arguments.h"
#include "compiler/Driver/ToolkitFolder.h"
#include <iostream>

namespace regrain {
namespace {

struct Options {
  bool writes = false;
  std::string toolkit;
};

int fail(const std::string &message) {
  std::cerr << "regrain cuda-path: error: " << message << '\n';
  return 1;
}

void addOptions(CLI::App &app, Options &options) {
  app.option_defaults()->group("The folder");
  CLI::Option *write =
      app.add_flag("--write", options.writes,
                   "Write the folder anew, with links to the CUDA toolkit that is found");
  app.add_option("--toolkit", options.toolkit,
                 "With --write: the toolkit; 'none' links to no toolkit")
      ->type_name("DIR")
      ->needs(write);
}

help::Command words() {
  help::Command command;
  command.name = "regrain cuda-path";
  command.summary = "Print a folder that build systems take for a CUDA toolkit";
  command.paragraphs = {
      "Prints the folder: bin/nvcc is regrain-nvcc, include has Regrain's headers, lib64 its "
      "runtime as libcudart. The rest are links to the CUDA toolkit that was found when Regrain "
      "was built or installed. 'regrain --cuda-path' does the same."};
  command.examples = {
      {"$(regrain cuda-path)/bin/nvcc app.cu -o app", "Compile as a build system does."},
      {"ls $(regrain cuda-path)/include", "List the headers that programs find."}};
  return command;
}

int print(const Options &options) {
  llvm::Expected<Installation> installation = findInstallation(options.toolkit);
  if (!installation)
    return fail(llvm::toString(installation.takeError()));
  if (options.writes)
    if (llvm::Error error = writeToolkitFolder(*installation))
      return fail(llvm::toString(std::move(error)));
  std::cout << installation->toolkitFolder << '\n';
  return 0;
}

} // namespace

int runCudaPath(int argc, char **argv) {
  return arguments::run(addOptions, words(), argc, argv, print);
}

help::Command describeCudaPath() { return arguments::describe(addOptions, words()); }

} // namespace regrain
