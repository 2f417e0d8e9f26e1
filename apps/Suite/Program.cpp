//===- Program.cpp - Build and run one program of a suite -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Suite/Program.h"

#include "apps/Process/Run.h"
#include "apps/Suite/Build.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

namespace fs = std::filesystem;

namespace regrain::suite {
namespace {

constexpr unsigned originalRuns = 2;   ///< runs before the alternatives
constexpr unsigned originalReruns = 2; ///< further runs, when an alternative seems to differ
constexpr size_t tailLines = 8;

/// Returns whether the first line names an interpreter; a script without one is run
/// by the shell.
bool beginsWithInterpreter(const fs::path &script) {
  std::ifstream stream(script);
  std::string line;
  return std::getline(stream, line) && line.starts_with("#!");
}

bool isExecutable(const fs::path &path) {
  return (fs::status(path).permissions() & fs::perms::owner_exec) != fs::perms::none;
}

/// One program that has been built.
class Runner {
public:
  Runner(fs::path folder, fs::path logs, std::vector<std::string> replaced,
         const Workspace &workspace, const Options &options, ProgramResult &result)
      : folder(std::move(folder)), logs(std::move(logs)), replaced(std::move(replaced)),
        workspace(workspace), options(options), result(result),
        snapshot(this->folder, workspace.root / "built" / result.name) {}

  void runAll();

private:
  bool findCommand();
  bool runOriginal();
  void runAlternative(const std::string &id);
  void blame(const std::string &id, const StepResult &together);
  StepResult judge(const std::string &request);
  struct Run {
    process::Ended ended;
    Output output;
    std::vector<std::string> messages; ///< the runtime's
  };
  Run runOnce(const std::string &request);
  void noteLaunches(const std::string &id);
  void announce(const std::string &step) const {
    if (options.onStep)
      options.onStep(result.name, step);
  }

  fs::path folder, logs;
  std::vector<std::string> replaced;
  const Workspace &workspace;
  const Options &options;
  ProgramResult &result;
  Snapshot snapshot;
  std::vector<std::string> command;
  std::vector<std::string> messages; ///< the runtime's messages of the last run that is judged
  Reference reference;
};

bool Runner::findCommand() {
  fs::path script = runScriptIn(folder, options.run);
  if (!script.empty()) {
    if (!beginsWithInterpreter(script) || !isExecutable(script))
      command.push_back("sh");
    command.push_back("./" + script.filename().string());
    return true;
  }
  if (!hasTarget(makefileIn(folder), options.run))
    return false;
  // -s: the echo of the commands is not output of the program.
  command = {"make", "-s", options.run};
  command.insert(command.end(), replaced.begin(), replaced.end());
  return true;
}

Runner::Run Runner::runOnce(const std::string &request) {
  fs::path out = logs / "out", error = logs / "err";
  std::vector<std::string> environment =
      environmentFor(workspace, {"REGRAIN_DEVICE=" + options.device, "REGRAIN_VERBOSE=1",
                                 "REGRAIN_ALTERNATIVE=" + request});
  Run run;
  run.ended = process::run({command, folder, environment, out, error, options.limit});
  ++result.runs;
  std::ifstream stream(out, std::ios::binary);
  run.output.text.assign(std::istreambuf_iterator<char>(stream), {});
  run.output.files = snapshot.changes();
  snapshot.restore();
  for (const fs::path &file : {out, error}) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("regrain: "))
        run.messages.push_back(line.substr(std::string_view("regrain: ").size()));
  }
  return run;
}

bool Runner::runOriginal() {
  announce("original");
  for (unsigned i = 0; i < originalRuns; ++i) {
    auto [ended, output, said] = runOnce("*:original");
    messages = std::move(said);
    result.run.seconds = ended.seconds;
    if (!ended.succeeded) {
      // A program that exceeds the limit has not been seen to be wrong.
      result.run.verdict = ended.inTime ? Verdict::Wrong : Verdict::NotPossible;
      std::string errors = tailOf(logs / "err", tailLines);
      result.run.reason = command.front() + ": " + ended.how + "\n" +
                          (errors.empty() ? tailOf(logs / "out", tailLines) : errors);
      return false;
    }
    reference.add(output);
  }
  result.compared = reference.compared();
  result.run.verdict = Verdict::Right;
  return true;
}

/// Runs with REGRAIN_ALTERNATIVE=request. If the output differs, the original
/// runs again: output that then varies does so by itself.
StepResult Runner::judge(const std::string &request) {
  auto [ended, output, said] = runOnce(request);
  messages = std::move(said);
  if (!ended.succeeded)
    return {Verdict::Wrong, ended.how + "\n" + tailOf(logs / "err", tailLines), ended.seconds};
  std::optional<std::string> difference = reference.difference(output);
  for (unsigned i = 0; difference && i < originalReruns; ++i) {
    Run again = runOnce("*:original");
    if (!again.ended.succeeded)
      break;
    reference.add(again.output);
    difference = reference.difference(output);
  }
  return {difference ? Verdict::Wrong : Verdict::Right, difference.value_or(""), ended.seconds};
}

/// Determines from the runtime's messages which kernels ran at this grain.
void Runner::noteLaunches(const std::string &id) {
  for (KernelResult &kernel : result.kernels)
    for (AlternativeResult &alternative : kernel.alternatives) {
      if (alternative.id != id)
        continue;
      for (const std::string &message : messages) {
        if (!message.starts_with(kernel.name + ": "))
          continue;
        std::string_view said = std::string_view(message).substr(kernel.name.size() + 2);
        if (said.starts_with(id + " ("))
          alternative.launched = true;
        else if (said.starts_with("original"))
          alternative.gaveWay = said;
      }
    }
}

/// Runs each kernel alone at this grain, to determine which one causes a
/// difference.
void Runner::blame(const std::string &id, const StepResult &together) {
  bool found = false;
  AlternativeResult *last = nullptr;
  for (KernelResult &kernel : result.kernels)
    for (AlternativeResult &alternative : kernel.alternatives) {
      if (alternative.id != id || !alternative.launched)
        continue;
      StepResult alone = judge(kernel.name + ":" + id);
      alternative.verdict = alone.verdict;
      alternative.reason = alone.reason;
      found |= alone.verdict == Verdict::Wrong;
      last = &alternative;
    }
  std::string reason = together.reason;
  if (!found && last) {
    last->verdict = Verdict::Wrong;
    last->reason =
        "seen only if all kernels run at this grain, not if this kernel alone does: " + reason;
  }
}

void Runner::runAlternative(const std::string &id) {
  StepResult together = judge("*:" + id);
  noteLaunches(id);
  if (together.verdict == Verdict::Wrong) {
    blame(id, together);
    result.alternatives.verdict = Verdict::Wrong;
    if (result.alternatives.reason.empty())
      result.alternatives.reason = id + ": " + together.reason;
    return;
  }
  for (KernelResult &kernel : result.kernels)
    for (AlternativeResult &alternative : kernel.alternatives)
      if (alternative.id == id && alternative.launched)
        alternative.verdict = Verdict::Right;
}

void Runner::runAll() {
  if (!findCommand()) {
    result.run = {
        Verdict::NotPossible,
        "no way to run it was found: there is neither a script nor a make target named '" +
            options.run + "' (--run names another)"};
    return;
  }
  if (!runOriginal())
    return;
  std::set<std::string> ids;
  for (const KernelResult &kernel : result.kernels)
    for (const AlternativeResult &alternative : kernel.alternatives)
      ids.insert(alternative.id);
  if (ids.empty())
    result.alternatives = {Verdict::NotPossible, "the build holds no kernel with alternatives"};
  else if (result.compared.left == 0)
    result.alternatives = {Verdict::NotPossible,
                           "not comparable: no output is the same in each run of the original"};
  else
    result.alternatives.verdict = Verdict::Right;
  if (result.alternatives.verdict != Verdict::Right)
    return;
  size_t number = 0;
  for (const std::string &id : ids) {
    announce(id + ", grain " + std::to_string(++number) + " of " + std::to_string(ids.size()));
    runAlternative(id);
  }
  result.compared = reference.compared();
}

} // namespace

const char *toString(Verdict verdict) {
  switch (verdict) {
  case Verdict::Right:
    return "yes";
  case Verdict::Wrong:
    return "WRONG";
  case Verdict::NotPossible:
    return "no";
  case Verdict::NotAsked:
    return "-";
  }
  return "unknown";
}

ProgramResult tryProgram(const fs::path &folder, const std::string &name,
                         const Workspace &workspace, const Options &options) {
  ProgramResult result;
  result.name = name;
  fs::path logs = workspace.logs / name;
  fs::create_directories(logs);
  if (options.onStep)
    options.onStep(name, "build");
  std::vector<std::string> replaced = replacements(folder, logs / "variables", workspace, options);
  result.build = build(folder, logs / "make", replaced, workspace, options);
  if (result.build.verdict != Verdict::Right)
    return result;
  result.kernels = kernelsIn(folder);
  if (!options.buildOnly)
    Runner(folder, logs, replaced, workspace, options, result).runAll();
  return result;
}

} // namespace regrain::suite
