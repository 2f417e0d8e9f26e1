//===- Inspect.cpp - regrain inspect --------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Report/Inspect.h"

#include "apps/Arguments/Arguments.h"
#include "apps/Report/CodeText.h"
#include "apps/Report/ReadCode.h"
#include "apps/Report/SourceLines.h"
#include "apps/Report/TrafficText.h"
#include "compiler/Listing/Words.h"

#include <cerrno>
#include <charconv>
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
  std::string kernel;  ///< pattern; empty: all
  std::string code;    ///< name of a form, or `anyForm`; empty: no code
  std::string arch, alternative;
  bool footprint = false;
  std::string block; ///< "32x8"; empty: not said
  std::optional<uint64_t> trips;
  std::string launch;
};

constexpr const char *anyForm = "any";

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

/// Returns which code is wanted, or what is wrong with the options.
OrError<report::CodeRequest> codeRequest(const Options &options) {
  report::CodeRequest request = {std::nullopt, options.arch, ""};
  std::string names;
  for (report::Form form : report::forms) {
    if (options.code == nameOf(form))
      request.form = form;
    names += std::string(names.empty() ? "" : ", ") + nameOf(form);
  }
  if (!request.form && options.code != anyForm)
    return tl::unexpected("option '--code': '" + options.code +
                          "' is no form of code; the forms are " + names);
  if (options.alternative.empty())
    return request;
  OrError<GrainSpec> spec = parseGrainSpec(options.alternative);
  if (!spec)
    return tl::unexpected("option '--alternative': " + spec.error());
  request.alternative = toString(spec->grain);
  return request;
}

/// Reads "32x8" as 32, 8 and 1 threads; returns nothing if it is no block.
std::optional<std::array<uint32_t, 3>> parseBlock(const std::string &text) {
  constexpr uint64_t mostThreads = 1024;
  std::array<uint32_t, 3> block = {1, 1, 1};
  std::vector<std::string_view> sizes = listing::split(text, 'x');
  if (sizes.size() > block.size())
    return std::nullopt;
  uint64_t threads = 1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const char *end = sizes[d].data() + sizes[d].size();
    auto [rest, error] = std::from_chars(sizes[d].data(), end, block[d]);
    if (error != std::errc() || rest != end || block[d] == 0 || block[d] > mostThreads)
      return std::nullopt;
    threads *= block[d];
  }
  return threads <= mostThreads ? std::optional(block) : std::nullopt;
}

OrError<report::LaunchOptions> launchOptions(const Options &options) {
  constexpr uint64_t mostTrips = 1 << 20;
  if (options.trips > mostTrips)
    return tl::unexpected("option '--trips': " + std::to_string(*options.trips) + " is more than " +
                          std::to_string(mostTrips));
  report::LaunchOptions launch = {std::nullopt, options.trips, options.launch};
  if (!options.launch.empty())
    if (OrError<GrainSpec> spec = parseGrainSpec(options.launch); !spec)
      return tl::unexpected("option '--launch': " + spec.error());
  if (options.block.empty())
    return launch;
  launch.block = parseBlock(options.block);
  if (!launch.block)
    return tl::unexpected("option '--block': '" + options.block +
                          "' is no block of at most 1024 threads, such as 256 or 32x8");
  return launch;
}

/// Returns a sentence that names the kernels.
std::string sayNoKernel(const report::FileReport &report, const std::string &glob) {
  std::string names;
  for (const report::ImageReport &image : report.images)
    for (const report::KernelReport &kernel : image.kernels)
      names += (names.empty() ? "" : "; ") + kernel.name;
  return report.file + " has no kernel '" + glob + "'; " +
         (names.empty() ? "it has none" : "there are: " + names);
}

/// Writes what is asked for.
void write(const report::FileReport &report, const Options &options) {
  if (options.json)
    return report::writeJson(report, std::cout);
  if (!options.code.empty())
    report::writeCode(report, std::cout);
  if (options.footprint)
    report::writeTraffic(report, std::cout);
  if (options.code.empty() && !options.footprint)
    report::writeText(report, options.candidates, std::cout);
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
  if (!options.kernel.empty() && !report.images.empty()) {
    std::string none = sayNoKernel(report, options.kernel);
    if (!keepKernels(report, options.kernel))
      return fail(none);
  }
  if (!options.code.empty()) {
    OrError<report::CodeRequest> request = codeRequest(options);
    if (!request)
      return fail(request.error());
    if (OrError<void> read = readCode(report, images, *request); !read)
      return fail(read.error());
    if (options.json)
      addSource(report);
  }
  if (options.footprint) {
    OrError<report::LaunchOptions> launch = launchOptions(options);
    if (!launch)
      return fail(launch.error());
    addTraffic(report, *launch);
  }
  write(report, options);
  for (const report::DamagedImage &damaged : report.damaged)
    fail(placeOf(options.file, damaged.member) + ": " + damaged.message);
  return report.damaged.empty() ? 0 : 1;
}

void addOptions(CLI::App &app, Options &options) {
  app.add_option("FILE", options.file, "Object, archive, shared object or executable")->required();
  app.option_defaults()->group("What is shown");
  app.add_flag("--candidates", options.candidates,
               "Also every grain that was tried, with what became of it; JSON always has them");
  CLI::Option *footprint =
      app.add_flag("--footprint", options.footprint,
                   "The bytes of global memory that a block asks for, and those that it touches; "
                   "FILE knows them if it was compiled with other grains");
  app.add_option("--block", options.block, "The block for which --footprint counts, such as 32x8")
      ->type_name("XxYxZ")
      ->needs(footprint);
  app.add_option("--trips", options.trips,
                 "The trips that --footprint counts for each loop of unknown length")
      ->type_name("N")
      ->needs(footprint)
      ->check(arguments::wholeNumber(1))
      ->default_str(std::to_string(report::LaunchSetting().trips));
  app.add_option("--launch", options.launch,
                 "The block and integers of the launch for which --footprint counts, such as "
                 "for.block=256x1x1,for.arg2=5000: as databases and JSON of 'regrain tune' tell "
                 "it")
      ->type_name("SPEC")
      ->needs(footprint);
  app.add_option("--kernel", options.kernel, "Only kernels whose names match")->type_name("GLOB");
  app.add_flag("--json", options.json, "Write JSON; docs/report-schema.md describes it");
  app.option_defaults()->group("Code");
  CLI::Option *code =
      app.add_flag(std::string("--code{") + anyForm + "}", options.code,
                   "The instructions of the original and of an alternative, side by side by source "
                   "line, with counts of the accesses to memory by width and hint; without a form, "
                   "the first of these that FILE has")
          ->type_name("sass|ptx|amdgcn|x86");
  app.add_option("--alternative", options.alternative,
                 "The alternative that --code shows beside the original, in place of the one that "
                 "runs by default, or else the first")
      ->type_name("SPEC")
      ->needs(code);
  app.add_option("--arch", options.arch,
                 "The architecture whose code --code shows, in place of the first, such as sm_90")
      ->type_name("ARCH")
      ->needs(code);
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
                      {"regrain inspect --code=ptx app",
                       "Compare the PTX of each kernel with that of its first alternative."},
                      {"regrain inspect --extract code app",
                       "Write its PTX and machine code into the folder code."}};
  return command;
}

} // namespace

help::Command describeInspect() { return arguments::describe(addOptions, words()); }

int runInspect(int argc, char **argv) {
  return arguments::run(addOptions, words(), argc, argv, inspect);
}

} // namespace regrain
