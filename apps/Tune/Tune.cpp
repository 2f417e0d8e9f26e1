//===- Tune.cpp - regrain tune --------------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/Tune.h"

#include "apps/Tune/SessionReport.h"
#include "apps/Tune/Supervisor.h"
#include "compiler/Choices/JsonFile.h"

#include <CLI/CLI.hpp>

#include <algorithm>
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
#include <string_view>
#include <unistd.h>

namespace regrain {
namespace tune {
namespace {

/// The number of sessions, including this one, whose measurements of a class
/// are kept.
constexpr uint32_t keptSessions = 8;

struct Options {
  Plan plan;
  std::string choicesFile, jsonFile, database;
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
    fail("REGRAIN_DB=off: there is no place for what is learnt; --db names one");
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
                    : isThere       ? "its interpreter is not there"
                                    : "there is no such program";
  return fail("cannot run " + program + ": " + why, isThere ? 126 : 127);
}

/// Writes the requested files; returns the program's exit code unless that
/// fails.
int conclude(const SessionReport &report, const Options &options) {
  if (!options.isQuiet)
    writeTable(report, std::cerr);
  int exitCode = report.outcome.exitCode;
  auto check = [&](const OrError<void> &written) {
    if (!written)
      exitCode = fail(written.error(), exitCode ? exitCode : 1);
  };
  if (!options.choicesFile.empty())
    check(writeChoices(choicesOf(report), options.choicesFile));
  if (!options.jsonFile.empty())
    check(writeWhole(toJson(report), options.jsonFile));
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
  // This bounds the size of the file.
  if (OrError<void> dropped = database->dropOldMeasurements(keptSessions - 1); !dropped)
    std::cerr << "regrain tune: warning: old measurements stay: " << dropped.error() << '\n';
  options.plan.session = newSession();
  options.plan.showsProgress = !options.isQuiet && ::isatty(2);
  ProgramImages images(file); // in its state before the program runs
  Outcome outcome = Supervisor(options.plan, *database).run();
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

void addOptions(CLI::App &app, Options &options) {
  Plan &plan = options.plan;
  app.add_option("-o,--output", options.choicesFile,
                 "write the choices there, for 'regrain cc --choose'");
  app.add_option("--budget", plan.budget, "seconds for tuning, beyond the program's own time")
      ->default_val(30)
      ->check(CLI::Validator(checkSeconds, "SECONDS"));
  app.add_option("--mode", plan.mode,
                 "replay: measure on copies of the data; in-place: each launch runs once")
      ->default_val("replay")
      ->check(CLI::IsMember({"replay", "in-place"}));
  app.add_flag("--unverified", plan.unverified,
               "in-place: also run candidates that were never compared with the original");
  app.add_option("--ulps", plan.ulps,
                 "units in the last place that the control, the original by the candidates'\n"
                 "route, may be away from the original; 0: all results are the same bit for bit")
      ->capture_default_str();
  auto addMemory = [&](const char *name, uint64_t &bytes, const char *help) {
    app.add_option_function<uint64_t>(
           name, [&bytes](uint64_t mib) { bytes = mib << 20; }, help)
        ->type_name("MIB")
        ->check(CLI::Range(uint64_t(0), uint64_t(1) << 40));
  };
  addMemory("--device-memory", plan.mostCopies.device,
            "most memory of the device that copies of the program's memory take");
  addMemory("--host-memory", plan.mostCopies.host, "most memory of the host that they take");
  app.add_option("--restarts", plan.restarts,
                 "how often the program is started again where a candidate broke it")
      ->capture_default_str();
  app.add_option("--json", options.jsonFile, "write the table there too; docs/report-schema.md");
  app.add_option("--db", options.database, "the database; default: REGRAIN_DB, or the user's");
  app.add_flag("--quiet,-q", options.isQuiet, "show neither progress nor table");
}

} // namespace
} // namespace tune

int runTune(int argc, char **argv) {
  CLI::App app("regrain tune [OPTIONS] -- PROGRAM ARGS\n\n"
               "Runs PROGRAM as it is and measures its kernels at other grains meanwhile, on its\n"
               "own data. Its output and exit code are its own. From then on it is faster.",
               "regrain tune");
  if (!tune::occupyStandardStreams())
    return tune::fail("a standard stream is closed, and /dev/null cannot be opened in its place");
  tune::Options options;
  tune::addOptions(app, options);
  // Everything after "--" belongs to the program.
  char **end = argv + argc, **separator = std::find(argv, end, std::string_view("--"));
  options.plan.command.assign(std::min(separator + 1, end), end);
  try {
    app.parse(static_cast<int>(separator - argv), argv);
  } catch (const CLI::ExtrasError &) {
    return tune::fail("'" + app.remaining().front() +
                      "' is no option; the program and its arguments stand after --");
  } catch (const CLI::ParseError &problem) {
    return app.exit(problem) == 0 ? 0 : 1;
  }
  if (options.plan.command.empty())
    return tune::fail("no program to run: regrain tune [OPTIONS] -- PROGRAM ARGS");
  return tune::runWith(options);
}

} // namespace regrain
