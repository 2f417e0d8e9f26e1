//===- Inspect.cpp - regrain inspect --------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Report/Inspect.h"

#include "apps/Arguments/Arguments.h"
#include "apps/Report/FileReport.h"

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
  std::string extract; ///< folder; empty: no extraction
};

int fail(const std::string &message) {
  std::cerr << "regrain inspect: error: " << message << '\n';
  return 1;
}

OrError<std::vector<char>> readFile(const std::string &path) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code))
    return tl::unexpected(path + " is a folder");
  std::vector<char> contents;
  std::ifstream stream(path, std::ios::binary);
  if (stream)
    contents.assign(std::istreambuf_iterator<char>(stream), {});
  if (!stream)
    return tl::unexpected("cannot read " + path + ": " + std::strerror(errno));
  return contents;
}

const char *extensionOf(image::CodeKind kind) {
  return kind == image::CodeKind::CpuSharedObject ? "so" : report::kindName(kind);
}

/// Writes the code of each module to a file of its own, and prints the symbols
/// of its kernels on stdout. Returns false if a file cannot be written.
bool extract(const image::Image &image, const std::filesystem::path &folder, size_t &written) {
  for (const image::Module *module : *image.modules()) {
    std::string name = image.source()->str() + "." + std::to_string(written++) + "." +
                       module->arch()->str() + "." + extensionOf(module->kind());
    std::string path = (folder / std::filesystem::path(name).filename()).string();
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char *>(module->code()->data()), module->code()->size());
    file.close();
    if (!file) {
      fail("cannot write " + path + ": " + std::strerror(errno));
      return false;
    }
    std::cout << path;
    if (module->entries())
      for (const image::Entry *entry : *module->entries())
        std::cout << ' ' << entry->symbol()->str();
    std::cout << '\n';
  }
  return true;
}

/// Returns "libapp.a(kernels.o)", or the file alone.
std::string placeOf(const std::string &file, const std::string &member) {
  return member.empty() ? file : file + "(" + member + ")";
}

int extractAll(const std::vector<EmbeddedImage> &images, const Options &options) {
  std::error_code error;
  std::filesystem::create_directories(options.extract, error);
  if (error)
    return fail("cannot make the folder " + options.extract + ": " + error.message());
  size_t written = 0;
  for (const EmbeddedImage &image : images) {
    if (image.opened.status != ImageStatus::Ok)
      return fail(placeOf(options.file, image.member) + ": " + image.opened.message);
    if (image.opened.image->modules() && !extract(*image.opened.image, options.extract, written))
      return 1;
  }
  return 0;
}

int inspect(const Options &options) {
  OrError<std::vector<char>> contents = readFile(options.file);
  if (!contents)
    return fail(contents.error());
  auto [images, error] = findImages(*contents);
  if (!error.empty())
    return fail(options.file + ": " + error);
  if (images.empty())
    return fail(options.file + " holds no Regrain image");
  if (!options.extract.empty())
    return extractAll(images, options);
  report::FileReport report = report::makeReport(options.file, images);
  if (options.json)
    report::writeJson(report, std::cout);
  else
    report::writeText(report, options.candidates, std::cout);
  for (const report::DamagedImage &damaged : report.damaged)
    fail(placeOf(options.file, damaged.member) + ": " + damaged.message);
  return report.damaged.empty() ? 0 : 1;
}

void addOptions(CLI::App &app, Options &options) {
  app.add_option("FILE", options.file, "Object, archive, shared object or executable")->required();
  app.option_defaults()->group("What is shown");
  app.add_flag("--candidates", options.candidates,
               "Also every grain that was tried, with what became of it; JSON always has them");
  app.add_flag("--json", options.json, "Write JSON; docs/report-schema.md describes it");
  app.option_defaults()->group("Code");
  app.add_option("--extract", options.extract,
                 "Write the code of each module to a file in DIR instead, and say which kernels it "
                 "has")
      ->type_name("DIR");
}

help::Command words() {
  help::Command command;
  command.name = "regrain inspect";
  command.summary = "Show the kernels, grains and resources in a built file";
  command.paragraphs = {"Shows the kernels in a file, each alternative of each target with the "
                        "figures of the back end, and the alternatives that were refused."};
  command.examples = {{"regrain inspect app", "Show what app holds, which 'regrain cc' has built."},
                      {"regrain inspect --extract code app",
                       "Write its PTX and machine code into the folder code."}};
  return command;
}

} // namespace

help::Command describeInspect() {
  CLI::App app;
  Options options;
  addOptions(app, options);
  return arguments::describe(app, words());
}

int runInspect(int argc, char **argv) {
  CLI::App app;
  Options options;
  addOptions(app, options);
  if (std::optional<int> answered = arguments::parse(app, words(), argc, argv))
    return *answered;
  return inspect(options);
}

} // namespace regrain
