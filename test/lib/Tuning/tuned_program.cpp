//===- tuned_program.cpp - A program under tuning -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It writes to the database what the runtime would write, and breaks when it is
// told to. Its arguments are its actions, one after the other:
//
//   print TEXT        a line on standard output; write TEXT: without the line's end
//   lines N           N lines
//   process           its number, another one in each run
//   stdin             copies standard input to standard output
//   terminal          which standard streams are terminals, and how wide the output is
//   tune              what REGRAIN_TUNE says, without the session's name
//   try ALT HOW       runs a candidate unless it is excluded: fine, segv, abort, kill,
//                     term, cpu (over the limit of processor time), memory (gives
//                     tuning up), exit (with 5), finish (exit with 0), hang, differs
//   limit MS          of the candidates that follow; 60000 to begin with
//   skip REASON       the kernel cannot be replayed
//   choose ALT        decides for it, with a gain of 1.25; original: keeps that
//   cost SECONDS      a measurement that has cost so much of the budget
//   trap              goes on after SIGINT, and says so
//   sleep SECONDS, raise SIGNAL, exit CODE
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/database.h"
#include "runtime/tuning/tune_request.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>

using namespace regrain;

namespace {

const TunedKernel kernel = {"0123abcd", "4567cdef", "test device", 8, 12050, "regrain test"};
const std::string kernelName = "void ns::scale<float>(float*, int)";
const std::string launchClass = "block=256x1x1,shared=0,align=16,waves=4,grid=*x1x1";

[[noreturn]] void fail(const std::string &message) {
  std::cerr << "tuned_program: " << message << '\n';
  std::exit(99);
}

template <typename Value> Value check(OrError<Value> result) {
  if (!result)
    fail(result.error());
  if constexpr (!std::is_void_v<Value>)
    return std::move(*result);
}

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

class Program {
public:
  Program() : tune(variable("REGRAIN_TUNE")) {
    if (tune.empty())
      return;
    session = tune.substr(8, tune.find(',') - 8); // "session=ID,..."
    database = check(
        std::move(Database::open(variable("REGRAIN_DB"), Database::Access::ReadWrite).database));
  }

  /// Performs one action; returns whether it takes an argument after `what`.
  bool act(const std::string &what, const std::string &argument);
  void tryCandidate(const std::string &alternative, const std::string &how);

private:
  void showTerminals() const;
  void choose(const std::string &alternative);
  void addMeasurement(const std::string &alternative, double gain, const std::string &outcome,
                      double seconds = 0);

  std::string tune, session;
  std::unique_ptr<Database> database;
  int64_t limit = 60000;
};

void Program::addMeasurement(const std::string &alternative, double gain,
                             const std::string &outcome, double seconds) {
  if (database)
    check(database->add({kernel,
                         kernelName,
                         launchClass,
                         alternative,
                         session,
                         0,
                         1,
                         100,
                         100 / gain,
                         {gain, gain - 0.01, gain + 0.01},
                         40,
                         outcome,
                         seconds,
                         {}}));
}

void Program::tryCandidate(const std::string &alternative, const std::string &how) {
  if (!database)
    return;
  for (const Exclusion &exclusion : check(database->exclusions(kernel)))
    if (exclusion.alternative == alternative)
      return;
  auto now = std::chrono::system_clock::now().time_since_epoch();
  Underway row = {kernel,
                  kernelName,
                  launchClass,
                  alternative,
                  session,
                  ::getpid(),
                  std::chrono::duration_cast<std::chrono::milliseconds>(now).count(),
                  limit};
  check(database->begin(row));
  if (how == "segv")
    std::raise(SIGSEGV);
  if (how == "abort")
    std::abort();
  if (how == "kill")
    std::raise(SIGKILL);
  if (how == "term")
    std::raise(SIGTERM);
  if (how == "cpu")
    std::raise(SIGXCPU);
  if (how == "memory")
    std::_Exit(withoutTuningExitCode);
  if (how == "exit")
    std::exit(5);
  if (how == "finish")
    std::exit(0);
  if (how == "hang")
    std::this_thread::sleep_for(std::chrono::hours(1));
  check(database->end(row));
  if (how == "differs")
    check(database->put(Exclusion{kernel, kernelName, alternative, "differs at byte 4", ""}));
  addMeasurement(alternative, 1.25, how == "differs" ? "differs" : "timed");
}

void Program::showTerminals() const {
  for (int file : {0, 1, 2})
    std::cout << (::isatty(file) ? "terminal " : "other ");
  winsize size = {};
  ::ioctl(1, TIOCGWINSZ, &size);
  std::cout << size.ws_col << std::endl;
}

void Program::choose(const std::string &alternative) {
  Choice choice;
  choice.kernel = kernel;
  choice.kernelName = kernelName;
  choice.launchClass = launchClass;
  choice.alternative = alternative;
  choice.verdict = "no candidate is faster";
  choice.originalMicroseconds = choice.chosenMicroseconds = 100;
  if (alternative != "original") {
    choice.verdict = "faster, confirmed";
    choice.chosenMicroseconds = 80;
    choice.gain = {1.25, 1.24, 1.26};
  }
  choice.launches = 1;
  choice.verified = "bitwise";
  if (database)
    check(database->put(choice));
}

bool Program::act(const std::string &what, const std::string &argument) {
  if (what == "process")
    return std::cout << ::getpid() << std::endl, false;
  if (what == "stdin")
    return std::cout << std::cin.rdbuf() << std::flush, false;
  if (what == "terminal")
    return showTerminals(), false;
  if (what == "tune")
    return std::cout << (tune.empty() ? "none" : tune.substr(tune.find(','))) << std::endl, false;
  if (what == "trap")
    return std::signal(SIGINT, [](int) { (void)!::write(1, "trapped\n", 8); }), false;
  if (what == "print")
    std::cout << argument << std::endl;
  else if (what == "write")
    std::cout << argument << std::flush;
  else if (what == "lines")
    for (int i = 0; i < std::atoi(argument.c_str()); ++i)
      std::cout << "line " << i << '\n';
  else if (what == "limit")
    limit = std::atoi(argument.c_str());
  else if (what == "skip")
    addMeasurement("original", 1, "not replayed: " + argument);
  else if (what == "choose")
    choose(argument);
  else if (what == "cost")
    addMeasurement("block.x=2", 1, "timed", std::atof(argument.c_str()));
  else if (what == "sleep") {
    auto end = std::chrono::steady_clock::now() +
               std::chrono::duration<double>(std::atof(argument.c_str()));
    std::this_thread::sleep_until(end);
  } else if (what == "raise")
    std::raise(std::atoi(argument.c_str()));
  else if (what == "exit")
    std::exit(std::atoi(argument.c_str()));
  else
    fail("unknown: " + what);
  return true;
}

} // namespace

int main(int argc, char **argv) {
  Program program;
  for (int i = 1; i < argc; ++i) {
    std::string what = argv[i], argument = i + 1 < argc ? argv[i + 1] : "";
    if (what == "try") {
      program.tryCandidate(argument, i + 2 < argc ? argv[i + 2] : "");
      i += 2;
    } else if (program.act(what, argument)) {
      ++i;
    }
  }
}
