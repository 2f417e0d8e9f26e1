//===- HtmlReport.cpp - regrain report ------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/HtmlReport/HtmlReport.h"

#include "apps/Arguments/Arguments.h"
#include "apps/HtmlReport/Inputs.h"
#include "apps/HtmlReport/Page.h"

#include <iostream>

namespace regrain {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string output;
};

int fail(const std::string &message) {
  std::cerr << "regrain report: error: " << message << '\n';
  return 1;
}

int report(const Options &options) {
  if (std::string why = html::whyWithoutPages(); !why.empty())
    return fail(why);
  OrError<html::Inputs> inputs = html::readInputs(options.files);
  if (!inputs)
    return fail(inputs.error());
  for (const std::string &note : inputs->notes)
    std::cerr << "regrain report: note: " << note << '\n';
  std::string page = html::makePage("regrain " REGRAIN_VERSION, inputs->documents);
  if (OrError<void> written = writeWhole(page, options.output); !written)
    return fail(written.error());
  return 0;
}

void addOptions(CLI::App &app, Options &options) {
  app.add_option("FILE", options.files,
                 "JSON of 'regrain tune', 'inspect', 'explain' or 'db export', a database of "
                 "tuning, or a built file")
      ->required();
  app.option_defaults()->group("What is written");
  app.add_option("-o,--output", options.output, "The page to write")->type_name("FILE")->required();
}

help::Command words() {
  help::Command command;
  command.name = "regrain report";
  command.summary = "Make one HTML page of reports, to look at in a browser";
  command.paragraphs = {
      "Makes a page that opens from disk without a network: kernels by time, maps of all grains, "
      "roofline, code side by side, resources on all targets, and history.",
      "All files together make one page. It shows what they tell; of built files, the code of the "
      "grains that the other files chose."};
  command.examples = {
      {"regrain report app -o app.html", "Show what app holds, which 'regrain cc' has built."},
      {"regrain tune -q --json app.json -- ./app && regrain report app.json app -o app.html",
       "Tune it, and show what was measured beside its code."}};
  return command;
}

} // namespace

help::Command describeHtmlReport() { return arguments::describe(addOptions, words()); }

int runHtmlReport(int argc, char **argv) {
  return arguments::run(addOptions, words(), argc, argv, report);
}

} // namespace regrain
