//===- Database.cpp - regrain db ------------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Database/Database.h"

#include "apps/Arguments/Arguments.h"
#include "apps/Database/Check.h"
#include "apps/Database/Listing.h"
#include "compiler/Choices/JsonFile.h"
#include "compiler/Help/Nearest.h"
#include "runtime/image/grain.h"

#include <iostream>

namespace regrain {
namespace database {
namespace {

struct Options {
  std::string file; ///< of the database
  std::string glob = "*";
  std::string input, output;
  bool json = false;
  bool exclusionsToo = false;
};

int fail(const std::string &message) {
  std::cerr << "regrain db: error: " << message << '\n';
  return 1;
}

using DatabasePointer = std::unique_ptr<Database>;

/// Returns null if there is no database to read, or it cannot be opened, which
/// is reported.
DatabasePointer openToRead(const std::string &path) {
  // There is no notice: reading changes nothing.
  OrError<DatabasePointer> database = Database::open(path, Database::Access::ReadOnly).database;
  if (!database)
    fail(database.error());
  else if (!*database)
    fail("there is no tuning database '" + path + "'");
  return database ? std::move(*database) : nullptr;
}

/// Returns null if the database cannot be opened, which is reported.
DatabasePointer openToWrite(const std::string &path) {
  auto [database, notice] = Database::open(path, Database::Access::ReadWrite);
  if (!notice.empty())
    std::cerr << "regrain db: " << notice << '\n';
  if (!database)
    fail(database.error());
  return database ? std::move(*database) : nullptr;
}

/// Returns the message, with the name that was probably meant.
std::string noMatch(Database &database, const Options &options) {
  std::vector<std::string> names;
  for (const std::string &name : database.kernelNames().value_or(std::vector<std::string>()))
    names.push_back(name.substr(0, name.find('(', 1)));
  return "no kernel in '" + options.file + "' matches '" + options.glob + "'" +
         help::didYouMean(options.glob, names);
}

/// Returns the entries of the kernels that the glob matches. It is an error if there are
/// none.
OrError<Entries> entriesIn(Database &database, const Options &options) {
  OrError<Entries> entries = readEntries(database, options.glob);
  if (entries && entries->choices.empty() && entries->exclusions.empty() && options.glob != "*")
    return tl::unexpected(noMatch(database, options));
  return entries;
}

int runList(const Options &options) {
  DatabasePointer database = openToRead(options.file);
  if (!database)
    return 1;
  OrError<Entries> entries = entriesIn(*database, options);
  if (!entries)
    return fail(entries.error());
  (options.json ? writeListJson : writeList)(groupByKernel(*entries), std::cout);
  return 0;
}

/// Returns the JSON of the kernels that the glob matches.
OrError<std::string> exported(Database &database, const Options &options) {
  return entriesIn(database, options)
      .and_then([&](const Entries &entries) { return withLatestMeasurements(database, entries); })
      .map([](const std::vector<KernelEntries> &kernels) { return toJson(kernels); });
}

OrError<void> writeDetailsOf(Database &database, const Options &options) {
  OrError<Entries> entries = entriesIn(database, options);
  if (!entries)
    return tl::unexpected(entries.error());
  std::vector<KernelEntries> kernels = groupByKernel(*entries);
  return readMeasurements(database, kernels).map([&] { writeDetails(kernels, std::cout); });
}

int runExport(const Options &options) {
  DatabasePointer database = openToRead(options.file);
  if (!database)
    return 1;
  OrError<void> written =
      exported(*database, options).and_then([&](const std::string &json) -> OrError<void> {
        if (!options.output.empty())
          return writeWhole(json, options.output);
        std::cout << json;
        return {};
      });
  return written ? 0 : fail(written.error());
}

int runShow(const Options &options) {
  if (options.json)
    return runExport(options);
  DatabasePointer database = openToRead(options.file);
  if (!database)
    return 1;
  OrError<void> written = writeDetailsOf(*database, options);
  return written ? 0 : fail(written.error());
}

int sayTaken(const OrError<Taken> &taken) {
  if (!taken)
    return fail(taken.error());
  std::cout << "taken: " << taken->choices << " choices, " << taken->exclusions
            << " exclusions; already present: " << taken->kept
            << "; not taken because excluded: " << taken->excluded << '\n';
  return 0;
}

int runImport(const Options &options) {
  OrError<Entries> entries = readWhole(options.input).and_then([&](const std::string &text) {
    return parseEntries(text, options.input);
  });
  if (!entries)
    return fail(entries.error());
  DatabasePointer database = openToWrite(options.file);
  return database ? sayTaken(import(*database, *entries)) : 1;
}

int runMerge(const Options &options) {
  DatabasePointer other = openToRead(options.input);
  if (!other)
    return 1;
  OrError<Entries> entries = readEntries(*other, "*");
  if (!entries)
    return fail(entries.error());
  DatabasePointer database = openToWrite(options.file);
  return database ? sayTaken(merge(*database, *entries)) : 1;
}

int runForget(const Options &options) {
  // A missing file would be created.
  if (!openToRead(options.file))
    return 1;
  DatabasePointer database = openToWrite(options.file);
  if (!database)
    return 1;
  std::vector<std::string> forgotten;
  OrError<void> done = database->atomically([&]() -> OrError<void> {
    OrError<std::vector<std::string>> names = database->kernelNames();
    if (!names)
      return tl::unexpected(names.error());
    for (const std::string &name : *names)
      if (matchesKernel(options.glob, name)) {
        if (OrError<void> dropped = database->forget(name, options.exclusionsToo); !dropped)
          return dropped;
        forgotten.push_back(name);
      }
    return {};
  });
  if (!done)
    return fail(done.error());
  if (forgotten.empty())
    return fail(noMatch(*database, options));
  for (const std::string &name : forgotten)
    std::cout << "forgotten: " << name << '\n';
  return 0;
}

int runCheck(const Options &options) {
  DatabasePointer database = openToRead(options.file);
  if (!database)
    return 1;
  OrError<CheckReport> report = check(*database, thisInstallation());
  if (!report)
    return fail(report.error());
  (options.json ? writeCheckJson : writeCheck)(*report, std::cout);
  for (const std::string &fault : report->condition.faults)
    fail(options.file + ": " + fault);
  return report->condition.faults.empty() ? 0 : 1;
}

struct Command {
  const char *name;
  const char *summary;
  std::vector<help::Example> examples;
  void (*add)(CLI::App &app, Options &options);
  int (*run)(const Options &options);
};

void addGlob(CLI::App &app, Options &options, bool isRequired) {
  app.add_option("GLOB", options.glob, "The kernels whose demangled name matches")
      ->required(isRequired);
}

void addJson(CLI::App &app, Options &options) {
  app.add_flag("--json", options.json, "Write JSON; docs/tuning-database.md describes it");
}

const Command commands[] = {
    {"list",
     "Show one line for each kernel",
     {{"regrain db list", "Show the kernels that were tuned, and what was gained."},
      {"regrain db list --json", "Write the same for a script."}},
     addJson,
     runList},
    {"show",
     "Say what was chosen for each class of launches and what is excluded, and why",
     {{"regrain db show 'multiply*'",
       "Show what is known of kernels whose names begin with multiply."},
      {"regrain db show '*' --json", "Write everything as JSON."}},
     [](CLI::App &app, Options &options) {
       addGlob(app, options, /*isRequired=*/true);
       addJson(app, options);
     },
     runShow},
    {"export",
     "Write what was learnt as JSON, for 'regrain db import' and 'regrain report'",
     {{"regrain db export -o learnt.json", "Write all that was learnt to a file."},
      {"regrain db export 'multiply*'", "Print the same for some kernels."}},
     [](CLI::App &app, Options &options) {
       addGlob(app, options, /*isRequired=*/false);
       app.add_option("-o", options.output, "The file to write (default: standard output)")
           ->type_name("FILE");
     },
     runExport},
    {"import",
     "Take what 'export' wrote; choices are verified here before they are used",
     {{"regrain db import learnt.json", "Take the choices of another machine."},
      {"regrain db --db fresh.db import learnt.json", "Import them into a separate database."}},
     [](CLI::App &app, Options &options) {
       app.add_option("FILE", options.input, "What 'export' wrote")->required();
     },
     runImport},
    {"merge",
     "Take exclusions, and choices that rest on more launches, from another database",
     {{"regrain db merge fresh.db",
       "Take from fresh.db the exclusions and the choices with more launches."},
      {"regrain db --db all.db merge fresh.db",
       "Merge it into all.db, which is created if it does not exist."}},
     [](CLI::App &app, Options &options) {
       app.add_option("OTHER", options.input, "The database to take from")->required();
     },
     runMerge},
    {"forget",
     "Drop what is known of kernels, so that they are tuned again",
     {{"regrain db forget 'multiply*'", "Drop the choices, and keep the exclusions."},
      {"regrain db --db all.db forget --excluded '*'", "Drop everything."}},
     [](CLI::App &app, Options &options) {
       addGlob(app, options, /*isRequired=*/true);
       app.add_flag("--excluded", options.exclusionsToo, "Drop the exclusions, too");
     },
     runForget},
    {"check",
     "Say whether the file is sound, and which entries are stale",
     {{"regrain db check", "Check the user's database."},
      {"regrain db --db all.db check --json", "Check another one, and write JSON."}},
     addJson,
     runCheck},
};

help::Command words() {
  help::Command command;
  command.name = "regrain db";
  command.summary = "Show and change what tuning has learnt";
  command.paragraphs = {"Shows and changes what 'regrain tune' has learnt. Programs read it when "
                        "they start, to run the grains that were chosen."};
  for (const Command &each : commands) {
    help::Command &subcommand = command.subcommands.emplace_back();
    subcommand.name = command.name + " " + each.name;
    subcommand.summary = each.summary;
    subcommand.paragraphs = {std::string(each.summary) + "."};
    subcommand.examples = each.examples;
  }
  command.examples = {commands[0].examples[0], commands[1].examples[0]};
  return command;
}

/// The options, and the subcommand that they are for.
struct Call {
  Options options;
  const Command *command = nullptr;
};

/// Adds the options of the command and of its subcommands.
void addOptions(CLI::App &app, Call &call) {
  app.option_defaults()->group("Database");
  app.add_option("--db", call.options.file,
                 "The database, before or after the command (default: REGRAIN_DB, or the user's)")
      ->type_name("FILE");
  app.require_subcommand(1);
  for (const Command &command : commands) {
    CLI::App *subcommand = app.add_subcommand(command.name)->fallthrough();
    subcommand->option_defaults()->group("Options");
    command.add(*subcommand, call.options);
    subcommand->callback([&call, &command] { call.command = &command; });
  }
}

/// Returns false if there is no path, which is reported.
bool findFile(Options &options) {
  if (!options.file.empty())
    return true;
  OrError<std::string> path = Database::defaultPath();
  if (!path)
    fail(path.error());
  else if (path->empty())
    fail("REGRAIN_DB=off: there is no tuning database; --db names one");
  options.file = path.value_or("");
  return !options.file.empty();
}

int runCall(Call &call) { return findFile(call.options) ? call.command->run(call.options) : 1; }

} // namespace
} // namespace database

help::Command describeDatabase() {
  return arguments::describe(database::addOptions, database::words());
}

int runDatabase(int argc, char **argv) {
  return arguments::run(database::addOptions, database::words(), argc, argv, database::runCall);
}

} // namespace regrain
