//===- Supervisor.cpp - Run a program until it is tuned -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/Supervisor.h"

#include "apps/Process/Descendants.h"
#include "apps/Tune/Status.h"
#include "runtime/tuning/tune_request.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace regrain::tune {
namespace {

using namespace std::chrono_literals;

constexpr auto lookInterval = 50ms; // between two polls of the database
constexpr auto gracePeriod = 2s;    // between a second interrupt and the kill
/// After this time without output, processes that outlive the program are not waited for.
constexpr int silenceMilliseconds = 1000;
constexpr int standardError = 2;

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Returns the first line of the file and removes it; an empty text if there is none.
std::string takeNote(const std::string &path) {
  std::string line;
  if (std::ifstream file(path); !std::getline(file, line))
    return "";
  std::error_code stays; // then it is only litter
  std::filesystem::remove(path, stays);
  return line;
}

bool isReady(const pollfd &file) { return file.revents != 0; }

} // namespace

std::string tuneVariable(const Plan &plan, std::string_view mode, double budget) {
  char seconds[32];
  std::snprintf(seconds, sizeof(seconds), "%.3f", std::max(budget, 0.001));
  auto limit = [](const char *place, uint64_t bytes) {
    bool isLimited = bytes != UINT64_MAX;
    return isLimited ? std::string(",") + place + "=" + std::to_string(bytes) : "";
  };
  return "REGRAIN_TUNE=session=" + plan.session + ",mode=" + std::string(mode) +
         ",budget=" + seconds + ",ulps=" + std::to_string(plan.ulps) +
         ",sum-ulps=" + std::to_string(plan.sumUlps) + limit("device", plan.mostCopies.device) +
         limit("host", plan.mostCopies.host) + (plan.unverified ? ",unverified" : "") +
         (plan.writesTrace ? ",trace" : "");
}

Supervisor::Supervisor(const Plan &plan, Database &database)
    : plan(plan), database(database), unstored(plan.databasePath, plan.session),
      watch(database, plan.session) {}

Outcome Supervisor::run() {
  process::adoptOrphans();
  Clock::time_point begin = Clock::now();
  RunEnd end;
  for (bool continues = !plan.surveys || survey(end); continues; continues = mayRestart(end))
    if (!runOnce(end))
      break;
  if (outcome.startError)
    return outcome;
  if (mayReview(end))
    review(end);
  erase();
  warnOfOutput(/*hasEnded=*/true);
  outcome.exitCode = end.ending.exitCode();
  outcome.seconds = secondsSince(begin);
  if (std::string line = unstored.read(); !line.empty())
    outcome.unstored = line;
  outcome.untuned = takeNote(untunedNotePath(plan.databasePath, plan.session));
  return outcome;
}

bool Supervisor::runOnce(RunEnd &end) {
  bool isTuned = outcome.gaveUp.empty();
  Clock::time_point begin = Clock::now();
  process::Child child;
  end = {};
  memoryKills = countMemoryKills();
  outcome.startError = start(child, isTuned);
  if (outcome.startError)
    return false;
  end.blame = attend(child, isTuned);
  end.ending = child.reap();
  if (isTuned)
    judge(child.id(), end);
  noteRun(isSurveying ? "survey" : isTuned ? "tuned run" : "run without tuning", begin, end);
  input.close();
  drain();
  return true;
}

void Supervisor::noteRun(const std::string &name, Clock::time_point begin, const RunEnd &end) {
  auto seconds = [](Clock::time_point time) {
    return std::chrono::duration<double>(time.time_since_epoch()).count();
  };
  ProgramRun &run = outcome.runs.emplace_back();
  run.name = name;
  run.begin = seconds(begin);
  run.end = seconds(Clock::now());
  run.ended = "exit code " + std::to_string(end.ending.exitCode());
  for (const Underway &candidate : end.blame.candidates)
    run.blamed.push_back(candidate.kernelName + " at " + candidate.alternative + " " +
                         end.blame.reason);
}

/// Runs the program at its originals. Returns whether it may run again, to be tuned: a program that
/// a signal has ended would end so again.
bool Supervisor::survey(RunEnd &end) {
  isSurveying = true;
  bool hasStarted = runOnce(end);
  isSurveying = false;
  heedSignals();
  return hasStarted && end.ending.lastSignal() == 0 && !outcome.interrupted && !output.isGone() &&
         canRepeatInput();
}

int Supervisor::start(process::Child &child, bool isTuned) {
  process::StartOptions options;
  if (int error = output.begin(options.output))
    return error;
  return start(child, std::move(options), !isTuned ? "" : isSurveying ? "survey" : plan.mode);
}

/// Starts the program, to be tuned in a mode, or not to be tuned if that is empty. Closes the
/// descriptors of its output.
int Supervisor::start(process::Child &child, process::StartOptions options, std::string_view mode) {
  options.command = plan.command;
  options.blocked = signals.blockedBefore();
  options.defaults = signals.ignoredHere();
  std::vector<std::string> own = {"REGRAIN_DB=" + plan.databasePath};
  if (!mode.empty())
    own.push_back(tuneVariable(plan, mode, budgetLeft()));
  options.environment = process::environmentWith(
      own, [](std::string_view name) { return name == "REGRAIN_DB" || name == "REGRAIN_TUNE"; });
  int error = input.begin(options.input);
  if (!error)
    error = child.start(options);
  for (int file : {options.input, options.output, options.errors})
    if (file >= 0)
      ::close(file);
  return error;
}

/// Attends the program until it has ended. Returns what it is to be killed for,
/// if anything.
Blame Supervisor::attend(const process::Child &child, bool isTuned) {
  Blame blame;
  Clock::time_point last = Clock::now();
  for (bool hasEnded = false; !hasEnded;) {
    hasEnded = pollStreams(child);
    while (std::optional<Signal> signal = signals.next())
      onSignal(*signal, child);
    process::reapOrphans(child.id());
    if (isTuned && !hasEnded && blame.candidates.empty() && Clock::now() - last >= lookInterval) {
      blame = look(std::chrono::duration<double>(Clock::now() - last).count());
      last = Clock::now();
      showProgress();
    }
    if (!blame.candidates.empty() || (killAt && Clock::now() >= *killAt))
      process::killDescendants();
  }
  return blame;
}

/// Moves the available bytes, and waits for more for a while. Returns whether the program
/// has ended.
bool Supervisor::pollStreams(const process::Child &child) {
  std::array<pollfd, 6> files = {{{child.descriptor(), POLLIN, 0},
                                  {signals.descriptor(), POLLIN, 0},
                                  {input.readable(), POLLIN, 0},
                                  {input.writable(), POLLOUT, 0},
                                  {output.readable(), POLLIN, 0},
                                  {output.writable(), POLLOUT, 0}}};
  if (::poll(files.data(), files.size(), static_cast<int>(lookInterval.count())) <= 0)
    return false;
  input.move(isReady(files[2]), isReady(files[3]));
  passOutput(isReady(files[4]), isReady(files[5]));
  return isReady(files[0]);
}

void Supervisor::passOutput(bool canRead, bool canWrite) {
  if (canWrite && output.isTerminal())
    erase();
  output.move(canRead, canWrite);
  if (canRead)
    warnOfOutput(/*hasEnded=*/false);
}

void Supervisor::onSignal(const Signal &signal, const process::Child &child) {
  bool isKnown = signal.fromTerminal;
  if (signal.number == SIGWINCH) {
    output.resize();
    isKnown = false; // it may have read the size before
  }
  outcome.interrupted |= asksToEnd(signal.number);
  if (signal.number == SIGINT && ++interrupts == 2)
    killAt = Clock::now() + gracePeriod;
  if (!isKnown)
    child.send(signal.number);
}

Blame Supervisor::look(double seconds) {
  OrError<void> seen = watch.look(seconds);
  if (seen)
    return watch.whileRunning();
  if (!std::exchange(warnedOfDatabase, true))
    warn("the database cannot be read, so a candidate that hangs will not be stopped: " +
         seen.error());
  return {};
}

/// Returns the reason if the resources that tuning takes broke the program, as
/// the system or the program reports it.
std::string Supervisor::whyBrokenByTuning(const process::Ending &ending) const {
  if (ending.code == withoutTuningExitCode)
    return unstored.read().empty() ? "the program ran out of memory"
                                   : "measurements could not be stored";
  if (ending.lastSignal() == SIGXCPU)
    return "the program reached its limit of processor time";
  if (ending.lastSignal() == SIGKILL && countMemoryKills() > memoryKills)
    return "the system killed the program for lack of memory";
  return "";
}

/// Determines what in the session broke the program, unless it is known, and the
/// consequences for the remaining processes and rows. A signal from outside is no
/// candidate's fault.
void Supervisor::judge(pid_t program, RunEnd &end) {
  int signal = end.ending.lastSignal();
  bool endedByOthers =
      (signal != 0 && !process::isCrash(signal)) || (outcome.interrupted && signal == 0);
  OrError<void> done;
  if (end.blame.candidates.empty()) {
    done = watch.look(0);
    if (!outcome.interrupted)
      end.brokenByTuning = whyBrokenByTuning(end.ending);
    if (done && !endedByOthers && end.brokenByTuning.empty())
      end.blame = watch.atEnd(program, end.ending);
  }
  if (!end.blame.candidates.empty()) {
    lost += watch.longest();
    process::killDescendants();
    process::reapDescendants();
    Blame confirmed = watch.confirm(end.blame);
    outcome.blamed.insert(outcome.blamed.end(), confirmed.candidates.begin(),
                          confirmed.candidates.end());
    done = exclude(database, confirmed);
    if (!done)
      outcome.gaveUp = "a candidate broke the program and cannot be excluded: " + done.error();
  }
  if (done)
    done = watch.clear();
  if (!done)
    outcome.unstored = done.error();
}

/// Passes on the remaining output, including that of processes that outlive the
/// program, until they are silent.
void Supervisor::drain() {
  bool isAsked = false;
  while (!output.isDone() && !isAsked) {
    std::array<pollfd, 3> files = {{{signals.descriptor(), POLLIN, 0},
                                    {output.readable(), POLLIN, 0},
                                    {output.writable(), POLLOUT, 0}}};
    bool isBlocked = output.writable() >= 0; // then it blocks, as the program would
    if (::poll(files.data(), files.size(),
               isBlocked && !outcome.interrupted ? -1 : silenceMilliseconds) == 0)
      break;
    isAsked = heedSignals();
    passOutput(isReady(files[1]), isReady(files[2]));
  }
  output.close();
}

/// Handles signals that come while no program runs. Returns whether one asks to
/// end.
bool Supervisor::heedSignals() {
  bool isAsked = false;
  while (std::optional<Signal> signal = signals.next())
    isAsked |= asksToEnd(signal->number);
  outcome.interrupted |= isAsked;
  return isAsked;
}

bool Supervisor::mayRestart(const RunEnd &end) {
  heedSignals();
  bool isBroken = !end.blame.candidates.empty() || !end.brokenByTuning.empty();
  if (!isBroken || outcome.interrupted || output.isGone())
    return false;
  if (!canRepeatInput())
    return false;
  if (outcome.gaveUp.empty())
    outcome.gaveUp = end.brokenByTuning;
  if (outcome.gaveUp.empty() && outcome.restarts >= plan.restarts)
    outcome.gaveUp = "candidates broke the program " + std::to_string(plan.restarts + 1) + " times";
  if (outcome.gaveUp.empty() && budgetLeft() <= 0)
    outcome.gaveUp = "the budget is spent";
  ++outcome.restarts;
  return true;
}

bool Supervisor::canRepeatInput() {
  if (!input.canRepeat())
    warn("the program is not started again, because its standard input could not be kept for a "
         "second run");
  return input.canRepeat();
}

double Supervisor::budgetLeft() {
  double left = plan.budget - lost;
  // If the measurements cannot be read, only the time known to be lost counts.
  if (OrError<std::vector<Measurement>> measurements = database.measurements(plan.session))
    for (const Measurement &measurement : *measurements)
      left -= measurement.seconds;
  return std::max(left, 0.0);
}

void Supervisor::showProgress() {
  if (!plan.showsProgress || (output.isTerminal() && output.isWithinLine()))
    return;
  OrError<std::vector<Measurement>> measurements = database.measurements(plan.session);
  if (!measurements)
    return; // the next poll reports the error
  double secondsLeft = budgetLeft() - watch.longest();
  std::optional<Status> status = statusOf(watch.underway(), *measurements, secondsLeft);
  if (!status)
    return;
  std::string text = statusText(*status, terminal::widthOf(standardError));
  std::fputs(line.update(text, secondsSince(Clock::time_point())).c_str(), stderr);
}

void Supervisor::erase() { std::fputs(line.erase().c_str(), stderr); }

void Supervisor::warn(const std::string &text) {
  erase();
  std::fprintf(stderr, "regrain tune: warning: %s\n", text.c_str());
}

void Supervisor::warnOfOutput(bool hasEnded) {
  const Repeat &repeat = output.repeat();
  if (warnedOfOutput || isSurveying || (outcome.restarts == 0 && !plan.surveys))
    return;
  warnedOfOutput = true;
  std::string begin = "the program was started again after ";
  begin += outcome.restarts == 0 ? "the survey" : "tuning broke it";
  if (repeat.hasDiffered())
    warn(begin + ", and its output differs from that of the run before; the new output follows");
  else if (hasEnded && repeat.isShort())
    warn(begin + ", and printed less than before");
  else if (!repeat.isComplete())
    warn(begin + "; parts of its output may appear twice");
  else
    warnedOfOutput = false;
}

} // namespace regrain::tune
