//===- Inputs.cpp - Reading what a page is made of ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/HtmlReport/Inputs.h"

#include "apps/Database/Entries.h"
#include "apps/HtmlReport/Schemas.h"
#include "apps/Report/ReadCode.h"
#include "apps/Report/SourceLines.h"
#include "apps/Report/TrafficText.h"

#include <algorithm>
#include <sstream>

namespace regrain::html {
namespace {

enum class Format : uint8_t { Json, Database, Built };

Format formatOf(const std::string &contents) {
  if (contents.starts_with("SQLite format 3"))
    return Format::Database;
  if (contents.starts_with("\x7f"
                           "ELF") ||
      contents.starts_with("!<arch>"))
    return Format::Built;
  return Format::Json;
}

OrError<NamedDocument> readJson(const std::string &contents, const std::string &path) {
  OrError<Json> document = parseJson(contents, path);
  if (!document)
    return tl::unexpected(document.error());
  if (OrError<void> checked = checkDocument(*document); !checked)
    return tl::unexpected(path + ": " + checked.error());
  return NamedDocument{path, std::move(*document)};
}

OrError<NamedDocument> readDatabase(const std::string &path) {
  OrError<std::unique_ptr<Database>> database =
      Database::open(path, Database::Access::ReadOnly).database;
  if (!database)
    return tl::unexpected(database.error());
  return database::readEntries(**database, "*")
      .and_then([&](const database::Entries &entries) {
        return database::withLatestMeasurements(**database, entries);
      })
      .map([&](const std::vector<database::KernelEntries> &kernels) {
        return NamedDocument{path, Json::parse(database::toJson(kernels))};
      });
}

/// The choice for a kernel that saves most, by its hash.
struct Best {
  std::string alternative;
  double savedUs; ///< in the launches that were sampled
};
using Choices = std::map<std::string, Best>;

void addChoice(const std::string &hash, const Json &choice, Choices &choices) {
  double savedUs = (choice["original_us"].get<double>() - choice["chosen_us"].get<double>()) *
                   choice.value("launches", 1.0);
  std::string alternative = choice["alternative"].get<std::string>();
  if (alternative == originalId)
    return;
  Best &best = choices.try_emplace(hash, Best{alternative, savedUs}).first->second;
  if (savedUs > best.savedUs)
    best = {alternative, savedUs};
}

Choices choicesIn(const std::vector<NamedDocument> &documents) {
  Choices choices;
  for (const auto &[name, document] : documents) {
    if (document.contains("regrain_tuning"))
      for (const Json &kernel : document["kernels"])
        for (const Json &choice : kernel["choices"])
          addChoice(kernel["hash"].get<std::string>(), choice, choices);
    else if (document["schema"] == "regrain-tuning")
      for (const Json &each : document["classes"])
        addChoice(each["hash"].get<std::string>(), each, choices);
  }
  return choices;
}

/// Returns the launches that all measured launches of a class were like, by the kernels' hashes.
report::LaunchesOfKernels launchesIn(const std::vector<NamedDocument> &documents) {
  report::LaunchesOfKernels launches;
  auto add = [&](const Json &kernel, const Json &choice) {
    if (choice.contains("launch") && choice["launch"].is_string())
      launches[kernel["hash"].get<std::string>()].insert(choice["launch"].get<std::string>());
  };
  for (const auto &[name, document] : documents) {
    if (document.contains("regrain_tuning"))
      for (const Json &kernel : document["kernels"])
        for (const Json &choice : kernel["choices"])
          add(kernel, choice);
    else if (document["schema"] == "regrain-tuning")
      for (const Json &each : document["classes"])
        add(each, each);
  }
  return launches;
}

Json toJson(const report::FileReport &report) {
  std::ostringstream text;
  report::writeJson(report, text);
  return Json::parse(text.str());
}

bool hasForm(const report::FileReport &report, report::Form form) {
  for (const report::ImageReport &image : report.images)
    for (const report::TargetName &target : image.targets)
      if (target.kind == report::kindOf(form))
        return true;
  return false;
}

/// Drops what an earlier document of the same file has.
void keepListings(Json &document) {
  for (Json &image : document["images"]) {
    image["refusals"] = Json::array();
    for (Json &kernel : image["kernels"])
      for (const char *key : {"alternatives", "candidates", "footprint", "launch_footprints"})
        kernel.erase(key);
  }
}

/// Says once why several files show no code of a form. Errors begin with the file's name.
void addNote(Inputs &inputs, const std::string &path, std::string_view form, std::string error) {
  if (error.starts_with(path + ": "))
    error.erase(0, path.size() + 2);
  std::string note = "no " + std::string(form) + " is shown: " + error;
  auto known = std::ranges::find_if(
      inputs.notes, [&](const std::string &each) { return each.ends_with(": " + note); });
  if (known == inputs.notes.end())
    inputs.notes.push_back(path + ": " + note);
  else
    known->insert(known->size() - note.size() - 2, ", " + path);
}

/// What the other documents tell of the kernels of built files.
struct Measured {
  Choices choices;
  report::LaunchesOfKernels launches;
};

/// Adds a document for each form of code that the file has.
OrError<void> readBuilt(const std::string &contents, const std::string &path,
                        const Measured &measured, Inputs &inputs) {
  auto [images, error] = findImages(contents);
  if (!error.empty())
    return tl::unexpected(path + ": " + error);
  if (images.empty())
    return tl::unexpected(path + ": holds no Regrain image");
  report::FileReport report = report::makeReport(path, images);
  for (const report::DamagedImage &damaged : report.damaged)
    return tl::unexpected(path + ": " + damaged.message);
  report::addTraffic(report, {});
  report::addTrafficOfLaunches(report, measured.launches);
  report::CodeRequest request;
  for (const auto &[hash, best] : measured.choices)
    request.alternativeOf[hash] = best.alternative;
  size_t before = inputs.documents.size();
  for (report::Form form : report::forms) {
    if (!hasForm(report, form))
      continue;
    for (report::ImageReport &image : report.images)
      for (report::KernelReport &kernel : image.kernels)
        kernel.code.reset();
    request.form = form;
    if (OrError<void> read = readCode(report, images, request); !read) {
      addNote(inputs, path, report::nameOf(form), read.error());
      continue;
    }
    report::addSource(report);
    inputs.documents.push_back({path, toJson(report)});
    if (inputs.documents.size() > before + 1)
      keepListings(inputs.documents.back().document);
  }
  if (inputs.documents.size() == before)
    inputs.documents.push_back({path, toJson(report)});
  return {};
}

} // namespace

OrError<Inputs> readInputs(const std::vector<std::string> &files) {
  Inputs inputs;
  std::vector<std::pair<std::string, std::string>> built; ///< path and contents
  for (const std::string &path : files) {
    OrError<std::string> contents = readWhole(path);
    if (!contents)
      return tl::unexpected(contents.error());
    Format format = formatOf(*contents);
    if (format == Format::Built) {
      built.emplace_back(path, std::move(*contents));
      continue;
    }
    OrError<NamedDocument> document =
        format == Format::Database ? readDatabase(path) : readJson(*contents, path);
    if (!document)
      return tl::unexpected(document.error());
    inputs.documents.push_back(std::move(*document));
  }
  Measured measured = {choicesIn(inputs.documents), launchesIn(inputs.documents)};
  for (const auto &[path, contents] : built)
    if (OrError<void> read = readBuilt(contents, path, measured, inputs); !read)
      return tl::unexpected(read.error());
  return inputs;
}

} // namespace regrain::html
