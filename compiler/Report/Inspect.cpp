//===- Inspect.cpp - regrain inspect --------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Report/Inspect.h"

#include "compiler/Report/FileReport.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

namespace regrain {
namespace {

struct Options {
  std::string file;
  bool json = false;
  bool candidates = false;
};

int fail(const std::string &message) {
  std::cerr << "regrain inspect: error: " << message << '\n';
  return 1;
}

/// Fills in `contents`; on failure `error` is one sentence.
bool readFile(const std::string &path, std::vector<char> &contents, std::string &error) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) {
    error = path + " is a folder";
    return false;
  }
  std::ifstream stream(path, std::ios::binary);
  if (stream)
    contents.assign(std::istreambuf_iterator<char>(stream), {});
  if (!stream) {
    error = "cannot read " + path + ": " + std::strerror(errno);
    return false;
  }
  return true;
}

int inspect(const Options &options) {
  std::vector<char> contents;
  std::string error;
  if (!readFile(options.file, contents, error))
    return fail(error);
  std::vector<EmbeddedImage> images = findImages(contents, error);
  if (!error.empty())
    return fail(options.file + ": " + error);
  if (images.empty())
    return fail(options.file + " holds no Regrain image");
  report::FileReport report = report::makeReport(options.file, images);
  if (options.json)
    report::writeJson(report, std::cout);
  else
    report::writeText(report, options.candidates, std::cout);
  for (const report::DamagedImage &damaged : report.damaged)
    fail(options.file + (damaged.member.empty() ? "" : "(" + damaged.member + ")") + ": " +
         damaged.message);
  return report.damaged.empty() ? 0 : 1;
}

} // namespace

int runInspect(int argc, char **argv) {
  CLI::App app("Shows the kernels in a file, each alternative of each target with the figures\n"
               "of the back end, and the alternatives that were refused.",
               "regrain inspect");
  Options options;
  app.add_option("FILE", options.file, "object, archive, shared object or executable")->required();
  app.add_flag("--json", options.json, "write JSON; docs/report-schema.md describes it");
  app.add_flag("--candidates", options.candidates,
               "also every grain that was tried, with what became of it; JSON always has them");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &problem) {
    return app.exit(problem) == 0 ? 0 : 1;
  }
  return inspect(options);
}

} // namespace regrain
