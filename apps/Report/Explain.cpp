//===- Explain.cpp - The grains of each kernel ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Report/Explain.h"
#include "apps/Terminal/Colour.h"
#include "runtime/image/sum_order.h"

#include <algorithm>
#include <ostream>
#include <set>

namespace regrain::report {
namespace {

/// Returns "block.x=4,thread.y=2" without its values: "block.x+thread.y".
std::string familyOf(const std::string &id) {
  std::string family;
  bool inValue = false;
  for (char letter : id) {
    if (letter == ',')
      family += '+';
    else if (letter != '=' && !inValue)
      family += letter;
    inValue = letter == '=' || (inValue && letter != ',' && letter != ':');
    if (letter == ':')
      family += letter;
  }
  return family;
}

void add(GrainGroup &group, const std::string &id) {
  std::string family = familyOf(id);
  if (std::find(group.families.begin(), group.families.end(), family) == group.families.end())
    group.families.push_back(family);
  group.ids.push_back(id);
}

bool sameReason(const RefusalReport &a, const RefusalReport &b) {
  return a.stage == b.stage && a.where == b.where && a.reason == b.reason;
}

/// Returns the group of `explanation` for such grains, which is added if it is
/// missing.
GrainGroup &groupFor(KernelExplanation &explanation, GrainGroup::State state,
                     const RefusalReport &refusal) {
  for (GrainGroup &group : explanation.groups)
    if (group.state == state && sameReason(group.refusal, refusal))
      return group;
  return explanation.groups.emplace_back(GrainGroup{state, {}, {}, refusal, {}});
}

/// Adds the grains that were pruned for some target.
void addPruned(KernelExplanation &explanation) {
  for (const CandidateReport &candidate : explanation.kernel->candidates) {
    if (candidate.id == controlId) // the control is not an alternative
      continue;
    std::vector<Finding> findings;
    for (const CandidateReport::Code &code : candidate.code)
      if (code.verdict.outcome == "pruned")
        findings.push_back({candidate.id, code.target, code.verdict.stage, code.verdict.reason});
    if (findings.empty())
      continue;
    explanation.raised = KernelExplanation::Raised::Yes;
    GrainGroup &group = groupFor(explanation, GrainGroup::State::Pruned, {});
    add(group, candidate.id);
    group.findings.insert(group.findings.end(), findings.begin(), findings.end());
  }
}

KernelExplanation explain(const ImageReport &image, const KernelReport &kernel) {
  using Raised = KernelExplanation::Raised;
  KernelExplanation explanation = {&kernel, Raised::Unknown, {}};
  std::vector<const RefusalReport *> refusals;
  std::set<std::string> refusedIds;
  for (const RefusalReport &refusal : image.refusals)
    if (refusal.kernel == kernel.symbol) {
      refusals.push_back(&refusal);
      refusedIds.insert(refusal.id);
    }
  for (size_t index = 1; index < kernel.alternatives.size(); ++index) {
    const AlternativeReport &alternative = kernel.alternatives[index];
    explanation.raised = Raised::Yes;
    if (alternative.grain.control)
      continue;
    bool hasCode = std::any_of(alternative.code.begin(), alternative.code.end(),
                               [](const CodeReport &code) { return !code.symbol.empty(); });
    if (hasCode)
      add(groupFor(explanation, GrainGroup::State::Kept, {}), alternative.id);
    else if (!refusedIds.count(alternative.id))
      add(groupFor(explanation, GrainGroup::State::Legal, {}), alternative.id);
  }
  addPruned(explanation);
  for (const RefusalReport *refusal : refusals) {
    if (explanation.raised == Raised::Unknown)
      explanation.raised = refusal->stage == "import" ? Raised::No : Raised::Yes;
    add(groupFor(explanation, GrainGroup::State::Refused, *refusal), refusal->id);
  }
  return explanation;
}

terminal::Tone toneOf(GrainGroup::State state) {
  return state == GrainGroup::State::Refused  ? terminal::Tone::Bad
         : state == GrainGroup::State::Pruned ? terminal::Tone::Doubtful
                                              : terminal::Tone::Good;
}

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string joinedIds(const std::vector<std::string> &ids) {
  std::vector<std::string> texts;
  for (const std::string &id : ids)
    texts.push_back(marked(id));
  return joined(texts);
}

std::string counted(size_t count, const char *word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

void writeGroup(const GrainGroup &group, bool raised, std::ostream &out) {
  if (group.state != GrainGroup::State::Refused) {
    out << "  " << joined(group.families) << ": " << counted(group.ids.size(), "grain") << " "
        << painted(out, toneOf(group.state), nameOf(group.state)) << ": " << joinedIds(group.ids)
        << '\n';
    for (const Finding &finding : group.findings)
      out << "    " << finding.id << " for " << finding.target << ": " << finding.reason << '\n';
    if (group.state == GrainGroup::State::Pruned)
      out << "    to keep them: --alternatives=all, or name one with --coarsen\n";
    return;
  }
  const RefusalReport &refusal = group.refusal;
  if (raised)
    out << "  " << joined(group.families) << ": " << counted(group.ids.size(), "grain") << " "
        << painted(out, toneOf(group.state), "refused") << " (" << refusal.stage << ")\n  ";
  std::string where = toString(refusal.where);
  out << "  " << where << (where.empty() ? "" : ": ") << refusal.reason << '\n';
  if (!refusal.remedy.empty())
    out << (raised ? "    " : "  ") << "to lift this: " << refusal.remedy << '\n';
}

void writeKernel(const KernelExplanation &explanation, std::ostream &out) {
  const KernelReport &kernel = *explanation.kernel;
  std::string where = toString(SourcePosition{kernel.file, kernel.line});
  out << painted(out, terminal::Tone::Heading, kernel.name)
      << (where.empty() ? "" : "  [" + where + "]");
  switch (explanation.raised) {
  case KernelExplanation::Raised::Yes:
    out << ": grains were tried\n";
    break;
  case KernelExplanation::Raised::No:
    out << ": no grain is possible, only the original is built\n";
    break;
  case KernelExplanation::Raised::Unknown:
    out << ": no grains were requested; --alternatives=N or --coarsen requests some\n";
    break;
  }
  for (const GrainGroup &group : explanation.groups)
    writeGroup(group, explanation.raised == KernelExplanation::Raised::Yes, out);
}

/// Returns the number of grains that were pruned for every target that could
/// have had them.
size_t countPrunedAlone(const KernelExplanation &kernel) {
  return std::count_if(kernel.kernel->candidates.begin(), kernel.kernel->candidates.end(),
                       [](const CandidateReport &candidate) {
                         return candidate.id != controlId && candidate.verdict.outcome == "pruned";
                       });
}

/// Returns whether the canonical SPEC of a grain changes the grouping of the program's
/// threads and blocks.
bool regroups(const std::string &id) {
  OrError<GrainSpec> spec = parseGrainSpec(id);
  return spec && spec->grain.regroups();
}

/// Returns whether a grain that regroups is in one of the states.
bool has(const KernelExplanation &kernel, std::initializer_list<GrainGroup::State> states) {
  return std::any_of(kernel.groups.begin(), kernel.groups.end(), [&](const GrainGroup &group) {
    return std::find(states.begin(), states.end(), group.state) != states.end() &&
           std::any_of(group.ids.begin(), group.ids.end(), regroups);
  });
}

} // namespace

const char *nameOf(GrainGroup::State state) {
  switch (state) {
  case GrainGroup::State::Legal:
    return "legal";
  case GrainGroup::State::Kept:
    return "kept";
  case GrainGroup::State::Pruned:
    return "pruned";
  case GrainGroup::State::Refused:
    return "refused";
  }
  return "unknown";
}

FileExplanation explain(const FileReport &report) {
  FileExplanation file = {&report, {}};
  for (const ImageReport &image : report.images)
    for (const KernelReport &kernel : image.kernels)
      file.kernels.push_back(explain(image, kernel));
  return file;
}

ExplanationSummary summarise(const std::vector<FileExplanation> &files) {
  using State = GrainGroup::State;
  ExplanationSummary summary;
  for (const FileExplanation &file : files)
    for (const KernelExplanation &kernel : file.kernels) {
      ++summary.kernels;
      summary.raised += kernel.raised == KernelExplanation::Raised::Yes;
      summary.coarsenable += has(kernel, {State::Legal, State::Kept, State::Pruned});
      summary.coarsened += has(kernel, {State::Kept});
      if (kernel.raised != KernelExplanation::Raised::Yes)
        continue;
      summary.legal += countPrunedAlone(kernel);
      for (const GrainGroup &group : kernel.groups)
        (group.state == State::Refused  ? summary.refused
         : group.state == State::Kept   ? summary.kept
         : group.state == State::Pruned ? summary.pruned
                                        : summary.legal) += group.ids.size();
    }
  summary.legal += summary.kept;
  return summary;
}

void writeText(const std::vector<FileExplanation> &files, std::ostream &out) {
  for (const FileExplanation &file : files)
    for (const KernelExplanation &kernel : file.kernels) {
      writeKernel(kernel, out);
      out << '\n';
    }
  ExplanationSummary summary = summarise(files);
  out << counted(summary.kernels, "kernel") << ": " << summary.raised << " with grains tried, "
      << summary.coarsenable << " with a legal regrouping, " << summary.coarsened
      << " with a regrouping in the image (grains: " << summary.legal << " legal, of these "
      << summary.kept << " kept and " << summary.pruned << " pruned; " << summary.refused
      << " refused)\n";
}

} // namespace regrain::report
