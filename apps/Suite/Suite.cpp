//===- Suite.cpp - regrain suite ------------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Suite/Suite.h"

#include "apps/Arguments/Arguments.h"
#include "apps/Suite/SuiteReport.h"
#include "apps/Terminal/ProgressLine.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fnmatch.h>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <stdlib.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

namespace regrain {
namespace suite {
namespace {

int fail(const std::string &message) {
  std::cerr << "regrain suite: error: " << message << '\n';
  return 1;
}

/// A folder that the destructor removes, unless the user named it.
class WorkFolder {
public:
  explicit WorkFolder(const std::string &asked) : isOwn(asked.empty()) {
    std::string pattern = (fs::temp_directory_path() / "regrain-suite-XXXXXX").string();
    if (!isOwn)
      path = fs::absolute(asked);
    else if (const char *made = ::mkdtemp(pattern.data()))
      path = made;
    else
      throw fs::filesystem_error("cannot make a temporary folder",
                                 std::error_code(errno, std::generic_category()));
  }
  WorkFolder(const WorkFolder &) = delete;
  ~WorkFolder() {
    std::error_code ignored; // a temporary folder that remains does no harm
    if (isOwn)
      fs::remove_all(path, ignored);
  }
  fs::path path;

private:
  bool isOwn;
};

/// Tries one program; an error of the file system becomes the program's reason and does not end
/// the suite.
ProgramResult tryGuarded(const fs::path &folder, const std::string &name,
                         const Workspace &workspace, const Options &options) {
  try {
    return tryProgram(folder, name, workspace, options);
  } catch (const fs::filesystem_error &problem) {
    ProgramResult result;
    result.name = name;
    result.build = {Verdict::NotPossible, problem.what()};
    return result;
  }
}

struct Job {
  fs::path folder;
  std::string name;
};

std::vector<Job> jobsOf(const Workspace &workspace, const Options &options) {
  std::vector<Job> jobs;
  for (const fs::path &folder : findPrograms(workspace.tree, options.run)) {
    std::string name = fs::relative(folder, workspace.tree).string();
    if (name == ".")
      name = fs::canonical(options.folder).filename().string();
    if (options.filter.empty() || ::fnmatch(options.filter.c_str(), name.c_str(), 0) == 0)
      jobs.push_back({folder, name});
  }
  return jobs;
}

std::vector<ProgramResult> resultsOf(const std::map<size_t, ProgramResult> &finished) {
  std::vector<ProgramResult> results;
  for (const auto &[index, result] : finished)
    results.push_back(result);
  return results;
}

/// Replaces the file atomically: the old one stays until the new one is
/// complete.
bool replaceJson(const std::vector<ProgramResult> &results, size_t of, const Options &options) {
  std::string unfinished = options.jsonFile + ".part";
  std::ofstream stream(unfinished);
  writeJson(results, of, options, stream);
  stream.close();
  std::error_code error;
  if (stream)
    fs::rename(unfinished, options.jsonFile, error);
  return stream && !error;
}

/// A line on standard error, if that is a terminal, below what was said of programs that are done.
class SuiteProgress {
public:
  explicit SuiteProgress(size_t programs) : programs(programs) {}

  void show(const std::string &program, const std::string &step) {
    std::lock_guard lock(printing);
    if (!isShown)
      return;
    double seconds = secondsSinceBegin();
    std::string left = terminal::timeLeft(done, programs, seconds);
    std::string text = std::to_string(done) + " of " + std::to_string(programs) + " programs" +
                       (left.empty() ? "" : ", " + left) + ": " + program + ": " + step;
    text = terminal::cut(text, terminal::widthOf(STDERR_FILENO) - 1);
    std::cerr << line.update(text, seconds) << std::flush;
  }

  /// Says how a program did, above the line.
  void finish(const ProgramResult &result) {
    std::lock_guard lock(printing);
    ++done;
    std::cerr << line.erase() << "regrain suite: " << result.name << ": built "
              << toString(result.build.verdict) << ", original " << toString(result.run.verdict)
              << ", alternatives " << toString(result.alternatives.verdict) << '\n';
    line = {};
  }

private:
  double secondsSinceBegin() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  std::mutex printing;
  terminal::ProgressLine line;
  const size_t programs;
  size_t done = 0;
  const bool isShown = terminal::canRedraw(STDERR_FILENO);
  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

/// Returns the results in the order of `jobs`; the JSON file is rewritten after each
/// program.
std::optional<std::vector<ProgramResult>> tryAll(const std::vector<Job> &jobs,
                                                 const Workspace &workspace, Options options) {
  SuiteProgress progress(jobs.size());
  options.onStep = [&](const std::string &program, const std::string &step) {
    progress.show(program, step);
  };
  std::map<size_t, ProgramResult> finished;
  bool written = true;
  std::atomic<size_t> next = 0;
  std::mutex collecting;
  auto work = [&] {
    for (size_t i = next++; i < jobs.size(); i = next++) {
      ProgramResult result = tryGuarded(jobs[i].folder, jobs[i].name, workspace, options);
      progress.finish(result);
      std::lock_guard lock(collecting);
      finished[i] = std::move(result);
      if (!options.jsonFile.empty())
        written = replaceJson(resultsOf(finished), jobs.size(), options);
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < options.jobs; ++i)
    threads.emplace_back(work);
  work();
  threads.clear();
  if (!written)
    return std::nullopt;
  return resultsOf(finished);
}

/// Returns the exit code as documented in Suite.h.
int judge(const std::vector<ProgramResult> &results, const Options &options) {
  auto any = [&](StepResult ProgramResult::*step, Verdict verdict) {
    return std::ranges::any_of(
        results, [&](const ProgramResult &result) { return (result.*step).verdict == verdict; });
  };
  if (any(&ProgramResult::run, Verdict::Wrong) || any(&ProgramResult::alternatives, Verdict::Wrong))
    return 1;
  return any(options.buildOnly ? &ProgramResult::build : &ProgramResult::alternatives,
             Verdict::Right)
             ? 0
             : 1;
}

int runWith(const Options &options) {
  if (!fs::is_directory(options.folder))
    return fail(options.folder + " is not a folder");
  if (!options.workFolder.empty() && fs::exists(options.workFolder) &&
      !fs::is_empty(options.workFolder))
    return fail(options.workFolder + " is not empty");
  WorkFolder work(options.workFolder);
  Workspace workspace = makeWorkspace(work.path, options.folder);
  std::vector<Job> jobs = jobsOf(workspace, options);
  if (jobs.empty())
    return fail("no program with a Makefile below " + options.folder +
                (options.filter.empty() ? "" : " matches " + options.filter));
  if (!options.jsonFile.empty() && !replaceJson({}, jobs.size(), options))
    return fail("cannot write " + options.jsonFile);
  std::optional<std::vector<ProgramResult>> results = tryAll(jobs, workspace, options);
  if (!results)
    return fail("cannot write " + options.jsonFile);
  writeTable(*results, std::cout);
  return judge(*results, options);
}

void addOptions(CLI::App &app, Options &options) {
  app.add_option("DIR", options.folder, "The suite; programs share nothing outside it")->required();
  app.option_defaults()->group("What is tried");
  app.add_option("--filter", options.filter, "Only programs whose path in DIR matches")
      ->type_name("GLOB");
  app.add_option("--alternatives", options.alternatives, "Grains for each kernel")
      ->type_name("N|all")
      ->check(arguments::wholeNumber(0, "all"))
      ->capture_default_str();
  app.add_option("--targets", options.targets, "What to compile for, as 'regrain cc --targets'")
      ->type_name("A,B,...")
      ->capture_default_str();
  arguments::acceptWords(
      app.add_option("--device", options.device, "What to run on")->capture_default_str(),
      {"cpu", "cuda", "hip"});
  app.add_flag("--build-only", options.buildOnly, "Build, and list the kernels; run nothing");
  app.option_defaults()->group("How programs are run");
  app.add_option("--run", options.run, "The script or target that runs a program")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--timeout", options.limit, "Seconds for each build and each run")
      ->type_name("SECONDS")
      ->check(arguments::wholeNumber(1))
      ->capture_default_str();
  app.add_option("-j,--jobs", options.jobs, "Programs at a time")
      ->type_name("N")
      ->check(arguments::wholeNumber(1))
      ->capture_default_str();
  app.option_defaults()->group("What is kept");
  app.add_option("--json", options.jsonFile,
                 "Write the results to FILE as well; docs/suite.md describes it")
      ->type_name("FILE");
  app.add_option("--work", options.workFolder, "Build in DIR, and keep it")->type_name("DIR");
}

help::Command words() {
  help::Command command;
  command.name = "regrain suite";
  command.summary = "Build and run a folder of programs at every grain, and compare";
  command.paragraphs = {
      "Builds each program below DIR with its own Makefile and Regrain as the compiler, runs it as "
      "its own script or Makefile says, at the original and at each other grain, and compares what "
      "it prints and writes."};
  command.examples = {
      {"regrain suite programs", "Try every program below the folder programs on the CPU."},
      {"regrain suite --alternatives=2 --json results.json programs",
       "Try two grains of each kernel, and keep the results."}};
  return command;
}

} // namespace
} // namespace suite

help::Command describeSuite() { return arguments::describe(suite::addOptions, suite::words()); }

int runSuite(int argc, char **argv) {
  return arguments::run(suite::addOptions, suite::words(), argc, argv,
                        [](const suite::Options &options) {
                          try {
                            return suite::runWith(options);
                          } catch (const fs::filesystem_error &problem) {
                            return suite::fail(problem.what());
                          }
                        });
}

} // namespace regrain
