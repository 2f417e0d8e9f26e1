//===- SuiteReport.cpp - Table and JSON of a suite ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Suite/SuiteReport.h"

#include "apps/Terminal/Colour.h"
#include "apps/Terminal/Table.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

namespace regrain::suite {

using Json = nlohmann::ordered_json;

namespace {

/// Describes what is not compared; empty if everything is.
std::string leftOut(const Compared &compared) {
  std::vector<std::string> parts;
  auto add = [&](size_t count, const char *what) {
    if (count)
      parts.push_back(std::to_string(count) + what);
  };
  if (compared.textVaries)
    parts.push_back("all text, whose length varies");
  else
    add(compared.lines, " lines that vary");
  add(compared.numbers, " numbers that vary");
  add(compared.timings, " numbers that are times or rates");
  add(compared.files, " files that vary");
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string verdictText(const StepResult &step, const std::ostream &out) {
  using terminal::Tone;
  std::string text = toString(step.verdict);
  return step.verdict == Verdict::Right   ? painted(out, Tone::Good, text)
         : step.verdict == Verdict::Wrong ? painted(out, Tone::Bad, text)
                                          : text;
}

void writeReason(const std::string &label, const std::string &reason, std::ostream &out) {
  if (reason.empty())
    return;
  std::istringstream lines(reason);
  out << "    " << label << ": ";
  bool first = true;
  for (std::string line; std::getline(lines, line); first = false)
    out << (first ? "" : "      ") << line << '\n';
}

void writeKernels(const ProgramResult &program, std::ostream &out) {
  for (const KernelResult &kernel : program.kernels) {
    std::string silent;
    for (const AlternativeResult &alternative : kernel.alternatives) {
      std::string label = kernel.name + " at " + alternative.id;
      if (alternative.verdict == Verdict::Wrong)
        writeReason(label, alternative.reason, out);
      else if (!alternative.launched && program.alternatives.verdict != Verdict::NotAsked &&
               program.alternatives.verdict != Verdict::NotPossible)
        silent += " " + alternative.id;
    }
    if (!silent.empty())
      writeReason(kernel.name, "not run at" + silent, out);
  }
}

size_t countVerdict(const std::vector<ProgramResult> &programs, StepResult ProgramResult::*step,
                    Verdict verdict) {
  return std::ranges::count_if(
      programs, [&](const ProgramResult &program) { return (program.*step).verdict == verdict; });
}

Json stepJson(const StepResult &step) {
  return {{"verdict", toString(step.verdict)},
          {"reason", step.reason.empty() ? Json() : Json(step.reason)},
          {"seconds", step.seconds}};
}

Json kernelJson(const KernelResult &kernel) {
  Json alternatives = Json::array();
  for (const AlternativeResult &alternative : kernel.alternatives)
    alternatives.push_back(
        {{"id", alternative.id},
         {"launched", alternative.launched},
         {"gave_way", alternative.gaveWay.empty() ? Json() : Json(alternative.gaveWay)},
         {"verdict", toString(alternative.verdict)},
         {"reason", alternative.reason.empty() ? Json() : Json(alternative.reason)}});
  return {{"name", kernel.name}, {"alternatives", std::move(alternatives)}};
}

Json programJson(const ProgramResult &program) {
  Json kernels = Json::array();
  for (const KernelResult &kernel : program.kernels)
    kernels.push_back(kernelJson(kernel));
  const Compared &compared = program.compared;
  return {{"name", program.name},
          {"build", stepJson(program.build)},
          {"run", stepJson(program.run)},
          {"alternatives", stepJson(program.alternatives)},
          {"runs", program.runs},
          {"compared", compared.left},
          {"not_compared",
           {{"text_length_varies", compared.textVaries},
            {"lines", compared.lines},
            {"numbers", compared.numbers},
            {"times_and_rates", compared.timings},
            {"files", compared.files}}},
          {"kernels", std::move(kernels)}};
}

} // namespace

void writeTable(const std::vector<ProgramResult> &programs, std::ostream &out) {
  std::vector<terminal::Row> rows;
  for (const ProgramResult &program : programs)
    rows.push_back({program.name, verdictText(program.build, out), verdictText(program.run, out),
                    verdictText(program.alternatives, out)});
  std::vector<std::string> lines =
      terminal::tableLines({{"program"}, {"built"}, {"original"}, {"alternatives"}}, rows);
  out << lines.front() << '\n';
  for (size_t i = 0; i < programs.size(); ++i) {
    const ProgramResult &program = programs[i];
    out << lines[i + 1] << '\n';
    writeReason("build", program.build.reason, out);
    writeReason("run", program.run.reason, out);
    writeReason("alternatives", program.alternatives.reason, out);
    writeReason("not compared", leftOut(program.compared), out);
    writeKernels(program, out);
  }
  size_t kernels = 0, alternatives = 0, right = 0;
  for (const ProgramResult &program : programs)
    for (const KernelResult &kernel : program.kernels) {
      ++kernels;
      alternatives += kernel.alternatives.size();
      right += std::ranges::count(kernel.alternatives, Verdict::Right, &AlternativeResult::verdict);
    }
  out << programs.size()
      << " programs: " << countVerdict(programs, &ProgramResult::build, Verdict::Right)
      << " built, " << countVerdict(programs, &ProgramResult::run, Verdict::Right) << " run, "
      << countVerdict(programs, &ProgramResult::alternatives, Verdict::Right)
      << " right with every alternative, "
      << countVerdict(programs, &ProgramResult::run, Verdict::Wrong) +
             countVerdict(programs, &ProgramResult::alternatives, Verdict::Wrong)
      << " wrong; " << kernels << " kernels, " << alternatives << " alternatives, " << right
      << " of them run and right\n";
}

void writeJson(const std::vector<ProgramResult> &programs, size_t count, const Options &options,
               std::ostream &out) {
  Json list = Json::array();
  for (const ProgramResult &program : programs)
    list.push_back(programJson(program));
  Json whole = {{"schema", "regrain-suite"},
                {"version", {{"major", 1}, {"minor", 1}}},
                {"complete", programs.size() == count},
                {"device", options.device},
                {"targets", options.targets},
                {"alternatives", options.alternatives},
                {"programs", std::move(list)}};
  // The output of programs need not be UTF-8.
  out << whole.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

} // namespace regrain::suite
