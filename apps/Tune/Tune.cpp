//===- Tune.cpp - regrain tune --------------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/Tune.h"

#include "apps/Arguments/Arguments.h"
#include "apps/Tune/SessionReport.h"
#include "apps/Tune/Supervisor.h"
#include "apps/Tune/Trace.h"
#include "compiler/Choices/JsonFile.h"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <random>
#include <unistd.h>

namespace regrain {
namespace tune {
namespace {

/// The number of sessions, including this one, whose measurements of a class
/// are kept.
constexpr uint32_t keptSessions = 8;

struct Options {
  Plan plan;
  std::string choicesFile, jsonFile, traceFile, database;
  bool isQuiet = false;
};

int fail(const std::string &message, int exitCode = 1) {
  std::cerr << "regrain tune: error: " << message << '\n';
  return exitCode;
}

/// If the caller has closed a standard stream, other files would get its number.
/// Returns false if one cannot be occupied.
bool occupyStandardStreams() {
  for (int file : {0, 1, 2})
    if (::fcntl(file, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) != file) // the lowest number
      return false;
  return true;
}

/// Returns a name that differs for each process of a user, on any machine.
std::string newSession() {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  long long seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  char text[64];
  std::snprintf(text, sizeof(text), "%llx-%x-%08x", seconds, static_cast<unsigned>(::getpid()),
                std::random_device()());
  return text;
}

/// Returns the database, or null after a message.
std::unique_ptr<Database> openDatabase(Options &options) {
  OrError<std::string> path = options.database;
  if (path->empty())
    path = Database::defaultPath();
  if (!path) {
    fail(path.error());
    return nullptr;
  }
  if (path->empty()) {
    fail("REGRAIN_DB=off: there is no database to store the results; give one with --db FILE");
    return nullptr;
  }
  std::error_code unknown; // then the path stays as given
  std::filesystem::path absolute = std::filesystem::absolute(*path, unknown);
  options.plan.databasePath = unknown ? *path : absolute.string();
  auto [database, notice] = Database::open(options.plan.databasePath, Database::Access::ReadWrite);
  if (!notice.empty())
    std::cerr << "regrain tune: " << notice << '\n';
  if (!database)
    fail(database.error());
  return database ? std::move(*database) : nullptr;
}

/// `file` is the path of the program, or empty.
int failToStart(const std::string &program, const std::string &file, int error) {
  std::error_code unknown;
  bool isThere = !file.empty() && std::filesystem::exists(file, unknown);
  std::string why = error != ENOENT ? std::strerror(error)
                    : isThere       ? "its interpreter does not exist"
                                    : "there is no such program";
  return fail("cannot run " + program + ": " + why, isThere ? 126 : 127);
}

/// Writes the requested files; returns the program's exit code unless that or tuning
/// failed.
int conclude(const SessionReport &report, const Options &options) {
  if (!options.isQuiet)
    writeTable(report, std::cerr);
  int exitCode = report.outcome.exitCode;
  auto check = [&](const OrError<void> &written) {
    if (!written)
      exitCode = fail(written.error(), exitCode ? exitCode : 1);
  };
  if (!report.outcome.unstored.empty())
    exitCode =
        fail("measurements cannot be stored: " + report.outcome.unstored, exitCode ? exitCode : 1);
  if (!report.outcome.untuned.empty())
    exitCode = fail("a process cannot load the tuning library, so it was not tuned: " +
                        report.outcome.untuned,
                    exitCode ? exitCode : 1);
  if (!options.choicesFile.empty())
    check(writeChoices(choicesOf(report), options.choicesFile));
  if (!options.jsonFile.empty())
    check(writeWhole(toJson(report), options.jsonFile));
  if (!options.traceFile.empty())
    check(writeTrace(options.plan, report.outcome, options.traceFile));
  return exitCode;
}

int runWith(Options &options) {
  const std::string &program = options.plan.command.front();
  std::string file = findProgram(program);
  if (file.empty())
    return failToStart(program, file, ENOENT);
  std::unique_ptr<Database> database = openDatabase(options);
  if (!database)
    return 1;
  options.plan.session = newSession();
  NoteFile unstored(options.plan.databasePath, options.plan.session);
  if (OrError<void> reserved = unstored.reserve(); !reserved)
    return fail(reserved.error());
  // This bounds the size of the file.
  if (OrError<void> dropped = database->dropOldMeasurements(keptSessions - 1); !dropped)
    std::cerr << "regrain tune: warning: old measurements could not be removed: " << dropped.error()
              << '\n';
  options.plan.writesTrace = !options.traceFile.empty();
  options.plan.showsProgress = !options.isQuiet && terminal::canRedraw(STDERR_FILENO);
  ProgramImages images(file); // in its state before the program runs
  Outcome outcome = Supervisor(options.plan, *database).run();
  unstored.remove();
  if (outcome.startError)
    return failToStart(program, file, outcome.startError);
  OrError<SessionReport> report = makeReport(*database, options.plan, outcome, images);
  if (!report)
    return fail(report.error(), outcome.exitCode ? outcome.exitCode : 1);
  return conclude(*report, options);
}

/// Returns why the text is not a budget; empty if it is one.
std::string checkSeconds(const std::string &text) {
  char *end = nullptr;
  double seconds = std::strtod(text.c_str(), &end);
  bool isNumber = end != text.c_str() && *end == '\0' && std::isfinite(seconds);
  return isNumber && seconds > 0 ? "" : "expected seconds, more than 0, not '" + text + "'";
}

void addMemory(CLI::App &app, const char *name, uint64_t &bytes, const char *text) {
  app.add_option_function<uint64_t>(
         name, [&bytes](uint64_t mib) { bytes = mib << 20; }, text)
      ->type_name("MIB")
      ->check(arguments::wholeNumber(0))
      ->check(CLI::Range(uint64_t(0), uint64_t(1) << 40).description(""));
}

void addMethod(CLI::App &app, Plan &plan) {
  app.option_defaults()->group("Time and method");
  app.add_option("--budget", plan.budget, "Seconds for tuning, beyond the program's own time")
      ->default_val(30)
      ->type_name("SECONDS")
      ->check(CLI::Validator(checkSeconds, ""));
  arguments::acceptWords(
      app.add_option("--mode", plan.mode,
                     "replay: repeat launches on copies of the data; in-place: run "
                     "each launch once, at alternating grains, and compare no "
                     "results")
          ->default_val("replay"),
      {"replay", "in-place"});
  app.add_flag("--survey", plan.surveys,
               "First run the program once at its originals, so that the budget is divided by "
               "what each class of launches takes in the whole run");
  app.add_option("--restarts", plan.restarts,
                 "How often the program may be started again after a candidate broke it")
      ->type_name("N")
      ->check(arguments::wholeNumber(0))
      ->capture_default_str();
}

void addComparison(CLI::App &app, Plan &plan) {
  app.option_defaults()->group("What counts as the same result");
  app.add_option(
         "--ulps", plan.ulps,
         "Largest allowed difference, in units in the last place, between the original and the "
         "control (the original compiled like the candidates); 0: all results must be equal "
         "bit for bit")
      ->type_name("N")
      ->check(arguments::wholeNumber(0))
      ->capture_default_str();
  app.add_option(
         "--sum-ulps", plan.sumUlps,
         "The same between the original and a grain whose sums have another order; only programs "
         "that were built with --reassociate have such grains; numbers of 16 bits may differ by 4")
      ->type_name("N")
      ->check(arguments::wholeNumber(0))
      ->capture_default_str();
  app.add_flag("--unverified", plan.unverified,
               "In-place: also run candidates that were never compared with the original");
}

void addOptions(CLI::App &app, Options &options) {
  addMethod(app, options.plan);
  addComparison(app, options.plan);
  CopyBytes &most = options.plan.mostCopies;
  app.option_defaults()->group("Memory");
  addMemory(
      app, "--device-memory", most.device,
      "Maximum device memory for copies of the program's memory (default: all that is free but "
      "256 MiB)");
  addMemory(app, "--host-memory", most.host,
            "Maximum host memory for the copies (default: half of what is available)");
  app.option_defaults()->group("What is written");
  app.add_option("-o,--output", options.choicesFile,
                 "Write the choices to FILE, for 'regrain cc --choose'")
      ->type_name("FILE");
  app.add_option("--json", options.jsonFile,
                 "Write the table to FILE as JSON; docs/report-schema.md describes it")
      ->type_name("FILE");
  app.add_option("--trace", options.traceFile,
                 "Write what was done when to FILE, for ui.perfetto.dev and chrome://tracing")
      ->type_name("FILE");
  app.add_option("--db", options.database,
                 "The database (default: REGRAIN_DB, or the user's; 'regrain db' shows it)")
      ->type_name("FILE");
  app.add_flag("-q,--quiet", options.isQuiet, "Show neither progress nor table");
}

help::Command words() {
  help::Command command;
  command.name = "regrain tune";
  command.summary = "Measure a program's kernels at other grains while it runs";
  command.paragraphs = {
      "Runs PROGRAM unchanged and measures its kernels at other grains, on its own data. Its "
      "output and exit code stay the same. Later runs of it use the grains that were faster.",
      "The program has to be built with 'regrain cc --alternatives=N'; otherwise there is "
      "nothing to choose from."};
  command.arguments = {{"-- PROGRAM [ARGUMENT]...", "The program and its arguments, after --"}};
  command.examples = {
      {"regrain tune -- ./app", "Run ./app, tuning for at most 30 seconds more than it takes."},
      {"regrain tune --budget 10 -o choices.json -- ./app",
       "Tune for 10 seconds, and write the choices for 'regrain cc --choose=choices.json'."}};
  return command;
}

} // namespace
} // namespace tune

help::Command describeTune() { return arguments::describe(tune::addOptions, tune::words()); }

int runTune(int argc, char **argv) {
  if (!tune::occupyStandardStreams())
    return tune::fail("a standard stream is closed, and /dev/null cannot be opened in its place");
  auto [ownCount, command] = arguments::separate(argc, argv);
  return arguments::run(
      tune::addOptions, tune::words(), ownCount, argv, [&](tune::Options &options) {
        options.plan.command = command;
        if (options.plan.surveys && options.plan.mode == "in-place")
          return tune::fail("--survey divides the budget, which --mode=in-place does not have");
        if (command.empty())
          return tune::fail("no program to run: " + help::usageOf(describeTune()));
        return tune::runWith(options);
      });
}

} // namespace regrain
