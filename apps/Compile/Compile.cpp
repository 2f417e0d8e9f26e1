//===- Compile.cpp - regrain cc, regrain explain --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Compile/Compile.h"

#include "apps/Report/Explain.h"
#include "compiler/Driver/Driver.h"
#include <iostream>
#include <vector>

namespace regrain {
namespace {

/// Collects the reports of the files that --explain names, and writes them at the end.
class Explanation : public ImageReader {
public:
  llvm::Error read(const std::string &file, llvm::ArrayRef<char> bytes) override;
  void finish(bool json) override;

private:
  std::vector<report::FileReport> files;
};

llvm::Error Explanation::read(const std::string &file, llvm::ArrayRef<char> bytes) {
  auto [images, problem] = findImages({bytes.data(), bytes.size()});
  if (!problem.empty())
    return llvm::createStringError(file + ": " + problem);
  if (images.empty())
    return llvm::createStringError(file + " holds no Regrain image");
  files.push_back(report::makeReport(file, images));
  llvm::Error damage = llvm::Error::success();
  for (const report::DamagedImage &damaged : files.back().damaged)
    damage = joinErrors(std::move(damage), llvm::createStringError(file + ": " + damaged.message));
  return damage;
}

void Explanation::finish(bool json) {
  if (files.empty())
    return;
  std::vector<report::FileExplanation> explanations;
  for (const report::FileReport &file : files)
    explanations.push_back(report::explain(file));
  if (json)
    report::writeJson(explanations, std::cout);
  else
    report::writeText(explanations, std::cout);
}

int run(llvm::StringRef tool, llvm::ArrayRef<char *> arguments) {
  Explanation explanation;
  return runDriver(tool, arguments, explanation);
}

} // namespace

int runCompiler(int argc, char **argv) {
  return run("regrain cc", llvm::ArrayRef(argv + 1, argc - 1));
}

int runExplain(int argc, char **argv) {
  std::string flag = "--explain";
  std::vector<char *> arguments(argv + 1, argv + argc);
  arguments.insert(arguments.begin(), flag.data());
  return run("regrain explain", arguments);
}

} // namespace regrain
