//===- Compile.cpp - regrain cc, regrain explain --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Compile/Compile.h"

#include "apps/Compile/CompileProgress.h"
#include "apps/Report/Explain.h"
#include "apps/Terminal/Colour.h"
#include "apps/Terminal/StandardOutput.h"
#include "compiler/Driver/Driver.h"
#include "compiler/Help/Nearest.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <vector>

namespace regrain {
namespace {

/// Collects the reports of the files that --explain names, and writes them at the end.
class Explanation : public ImageReader {
public:
  Explanation(std::string tool, report::TuningLookup lookUp)
      : tool(std::move(tool)), lookUp(std::move(lookUp)) {}

  llvm::Error read(const std::string &file, llvm::ArrayRef<char> bytes) override;
  llvm::Error readAsked(llvm::ArrayRef<char> bytes) override;
  int finish(const ExplainForm &form) override;

private:
  int answer(const GrainRequest &why) const;

  std::string tool;
  report::TuningLookup lookUp;
  std::vector<report::FileReport> files;
  std::map<size_t, report::FileReport> asked; ///< by the index of the file
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

llvm::Error Explanation::readAsked(llvm::ArrayRef<char> bytes) {
  auto [images, problem] = findImages({bytes.data(), bytes.size()});
  if (!problem.empty())
    return llvm::createStringError(files.back().file + ": " + problem);
  asked.emplace(files.size() - 1, report::makeReport(files.back().file, images));
  return llvm::Error::success();
}

int Explanation::finish(const ExplainForm &form) {
  if (files.empty())
    return 0;
  if (form.why)
    return answer(*form.why);
  std::vector<report::FileExplanation> explanations;
  for (const report::FileReport &file : files)
    explanations.push_back(report::explain(file));
  if (form.json)
    report::writeJson(explanations, std::cout);
  else
    report::writeText(explanations, std::cout);
  return 0;
}

/// Returns the exit code: 2 if the grain is not legal for some kernel that the request matches.
int Explanation::answer(const GrainRequest &why) const {
  std::vector<report::WhyAnswer> answers;
  std::vector<std::string> names;
  for (size_t i = 0; i < files.size(); ++i) {
    auto again = asked.find(i);
    std::ranges::move(
        report::whyOf(why, files[i], again == asked.end() ? nullptr : &again->second, lookUp),
        std::back_inserter(answers));
    for (const std::string &name : report::kernelNames(files[i]))
      names.push_back(name.substr(0, name.find('(', 1)));
  }
  if (answers.empty()) {
    llvm::WithColor::error(llvm::errs(), tool) << "--why: no kernel matches '" << why.glob << "'"
                                               << help::didYouMean(why.glob, names) << '\n';
    return 1;
  }
  report::writeText(answers, std::cout);
  auto isRefused = [](const report::WhyAnswer &each) {
    return each.legal == report::WhyAnswer::Legal::No;
  };
  return std::ranges::any_of(answers, isRefused) ? 2 : 0;
}

int run(llvm::StringRef tool, llvm::ArrayRef<char *> arguments, report::TuningLookup lookUp) {
  // LLVM's own rules for colours know no NO_COLOR.
  llvm::WithColor::setAutoDetectFunction([](const llvm::raw_ostream &out) {
    return &out == &llvm::errs() && terminal::showsColours(2);
  });
  Explanation explanation(tool.str(), std::move(lookUp));
  std::unique_ptr<CompileProgress> progress = CompileProgress::makeForTerminal();
  int status = runDriver(tool, arguments, explanation, progress.get());
  return terminal::endOutput(tool.str(), status);
}

} // namespace

int runCompiler(int argc, char **argv) {
  return run("regrain cc", llvm::ArrayRef(argv + 1, argc - 1), {});
}

int runExplain(int argc, char **argv, report::TuningLookup lookUp) {
  std::string flag = "--explain";
  std::vector<char *> arguments(argv + 1, argv + argc);
  arguments.insert(arguments.begin(), flag.data());
  return run("regrain explain", arguments, std::move(lookUp));
}

} // namespace regrain
