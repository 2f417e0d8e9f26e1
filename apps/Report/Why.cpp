//===- Why.cpp - What became of one grain ---------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Report/Why.h"

#include "apps/Terminal/Colour.h"

#include <algorithm>
#include <ostream>

namespace regrain::report {
namespace {

using terminal::painted;
using terminal::Tone;

/// A kernel, and the image in which it is.
struct Found {
  const ImageReport *image = nullptr;
  const KernelReport *kernel = nullptr;
};

Found findKernel(const FileReport &report, const std::string &symbol) {
  for (const ImageReport &image : report.images)
    if (auto kernel = std::ranges::find(image.kernels, symbol, &KernelReport::symbol);
        kernel != image.kernels.end())
      return {&image, &*kernel};
  return {};
}

const RefusalReport *findRefusal(const Found &found, const std::string &id) {
  auto refusal = std::ranges::find_if(found.image->refusals, [&](const RefusalReport &each) {
    return each.kernel == found.kernel->symbol && (id.empty() || each.id == id);
  });
  return refusal == found.image->refusals.end() ? nullptr : &*refusal;
}

/// Returns the grain's id: totals such as thread=4 have been given to dimensions.
std::string idIn(const Found &asked, const std::string &spec) {
  if (asked.kernel && asked.kernel->alternatives.size() > 1)
    return asked.kernel->alternatives.back().id; // behind a grain whose code it runs
  if (const RefusalReport *refusal = asked.kernel ? findRefusal(asked, "") : nullptr)
    return refusal->id;
  OrError<GrainSpec> parsed = parseGrainSpec(spec);
  return parsed ? toString(parsed->grain) : spec;
}

/// Takes over what the image says of the grain; returns whether it has it.
bool readImage(const Found &found, WhyAnswer &answer) {
  if (const RefusalReport *refusal = findRefusal(found, answer.id)) {
    answer.legal = WhyAnswer::Legal::No;
    answer.refusal = *refusal;
    return true;
  }
  auto known = std::ranges::find(found.kernel->alternatives, answer.id, &AlternativeReport::id);
  if (known == found.kernel->alternatives.end())
    return false;
  answer.legal = WhyAnswer::Legal::Yes;
  for (const CodeReport &code : known->code)
    if (!code.symbol.empty())
      answer.targets.push_back(std::string(kindName(code.target.kind)) + " " + code.target.arch);
  return true;
}

/// Takes over the verdicts on the grain as one of the candidates.
void readCandidate(const Found &found, bool isSource, WhyAnswer &answer) {
  const std::vector<CandidateReport> &all = found.kernel->candidates;
  size_t proposed = std::ranges::count_if(
      all, [](const CandidateReport &candidate) { return candidate.id != controlId; });
  auto candidate = std::ranges::find(all, answer.id, &CandidateReport::id);
  if (candidate == all.end()) {
    answer.proposed = proposed == 0 ? "no, no grains were"
                      : isSource    ? "no, not among the first " + std::to_string(proposed) +
                                       "; --alternatives=all tries all that may be faster"
                                 : "no, not when the file was built";
    return;
  }
  size_t place = 1 + std::ranges::count_if(all.begin(), candidate,
                                           [](const auto &each) { return each.id != controlId; });
  answer.proposed = "yes, as number " + std::to_string(place) + " of " + std::to_string(proposed);
  const VerdictReport &whole = candidate->verdict;
  if (answer.legal == WhyAnswer::Legal::Unknown && whole.outcome != "refused")
    answer.legal = WhyAnswer::Legal::Yes;
  auto add = [&](const std::string &target, const VerdictReport &verdict) {
    if (verdict.outcome == "pruned" || verdict.outcome == "timed-out")
      answer.verdicts.push_back(target + verdict.outcome + " (" + verdict.stage +
                                "): " + verdict.reason);
  };
  for (const CandidateReport::Code &code : candidate->code)
    add("for " + code.target + " ", code.verdict);
  if (answer.verdicts.empty())
    add("", whole);
}

void writeList(const char *heading, const std::vector<std::string> &lines, const char *ifNone,
               std::ostream &out) {
  out << "  " << heading << (lines.empty() ? ifNone : lines.front()) << '\n';
  for (size_t i = 1; i < lines.size(); ++i)
    out << "             " << lines[i] << '\n';
}

void writeRefusal(const RefusalReport &refusal, std::ostream &out) {
  out << painted(out, Tone::Bad, "no") << " (" << refusal.stage << ")\n";
  std::string where = toString(refusal.where);
  out << "    " << where << (where.empty() ? "" : ": ") << refusal.reason << '\n';
  if (!refusal.remedy.empty())
    out << "    to lift this: " << refusal.remedy << '\n';
}

void writeAnswer(const WhyAnswer &answer, std::ostream &out) {
  std::string where = toString(answer.where);
  out << painted(out, Tone::Heading, answer.kernel) << (where.empty() ? "" : "  [" + where + "]")
      << " at " << painted(out, Tone::Heading, answer.id) << '\n'
      << "  legal:     ";
  if (answer.legal == WhyAnswer::Legal::No)
    writeRefusal(answer.refusal, out);
  else if (answer.legal == WhyAnswer::Legal::Yes)
    out << painted(out, Tone::Good, "yes") << '\n';
  else
    out << "not known, because the file was built without it; ask about its source\n";
  out << "  proposed:  " << answer.proposed << '\n';
  if (answer.legal != WhyAnswer::Legal::No) {
    writeList("dropped:   ", answer.verdicts, "no", out);
    writeList("compiled:  ", answer.targets,
              "no; --targets=A,B,... names what grains are compiled for", out);
  }
  writeList("tried:     ", answer.tuning.tried, "no, 'regrain tune' has not measured it here", out);
  writeList("chosen:    ", answer.tuning.chosen, "no", out);
}

} // namespace

std::vector<std::string> kernelNames(const FileReport &report) {
  std::vector<std::string> names;
  for (const ImageReport &image : report.images)
    for (const KernelReport &kernel : image.kernels)
      names.push_back(kernel.name);
  return names;
}

std::vector<WhyAnswer> whyOf(const GrainRequest &request, const FileReport &proposed,
                             const FileReport *asked, const TuningLookup &lookUp) {
  std::vector<WhyAnswer> answers;
  for (const ImageReport &image : proposed.images)
    for (const KernelReport &kernel : image.kernels) {
      if (!matchesKernel(request.glob, kernel.name))
        continue;
      Found own = {&image, &kernel}, again = asked ? findKernel(*asked, kernel.symbol) : Found();
      WhyAnswer &answer = answers.emplace_back();
      answer.kernel = kernel.name;
      answer.where = SourcePosition{kernel.file, kernel.line};
      answer.id = idIn(again, request.spec);
      if (again.kernel)
        readImage(again, answer);
      else
        readImage(own, answer);
      readCandidate(own, asked != nullptr, answer);
      if (lookUp)
        answer.tuning = lookUp(kernel.name, answer.id);
    }
  return answers;
}

void writeText(const std::vector<WhyAnswer> &answers, std::ostream &out) {
  for (const WhyAnswer &answer : answers)
    writeAnswer(answer, out);
}

} // namespace regrain::report
