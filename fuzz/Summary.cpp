//===- Summary.cpp - Results of a run of the fuzzer -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Summary.h"

#include "runtime/image/grain.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TargetParser/Host.h"
#include <nlohmann/json.hpp>
#include <thread>

using llvm::formatv;

namespace regrain::fuzz {

std::string Finding::kind() const {
  std::string text(verdict == Verdict::Begun ? "died" : describe(verdict));
  return verdict == Verdict::Waits && grain == "original" ? "original " + text : text;
}

void Summary::count(const Specimen &kernel) {
  ++kernels;
  auto *program = std::get_if<cooperation::Program>(&kernel);
  cooperating += program && program->waits;
  patterns += program && program->plan.isPattern;
  for (const std::string &form : formsOf(kernel))
    ++forms[form];
}

/// Counts an agreeing pair for each of its grain's pieces whose value is a word or a number.
void Summary::countKeys(const std::string &grain) {
  GrainSpec spec = *parseGrainSpec(grain);
  for (const auto &[key, word] : spec.grain.words)
    ++words[std::string(key) + "=" + std::string(word)];
  for (const auto &[key, number] : spec.grain.codegen)
    ++words[std::string(key) + "=" + std::to_string(number)];
  if (spec.grain.shared == SharedArrays::Common)
    ++words["shared=common"];
}

void Summary::count(const Outcome &outcome) {
  bool isOriginal = outcome.grain == "original";
  switch (outcome.verdict) {
  case Verdict::Same:
    if (!isOriginal) {
      ++pairs;
      countKeys(outcome.grain);
      optimised += outcome.detail == optimisedCode;
    }
    break;
  case Verdict::Refused:
    ++refusals[outcome.detail];
    break;
  case Verdict::Misfit:
    ++misfits[outcome.detail];
    break;
  case Verdict::NotRaised:
    ++notRaised;
    ++refusals["not raised: " + outcome.detail];
    break;
  case Verdict::Confirmed:
    ++confirmed;
    return;
  case Verdict::Unable:
    ++unable[outcome.detail];
    return;
  case Verdict::Executed:
    ++executed[outcome.detail + (isOriginal ? ", originals" : ", grains")];
    return;
  case Verdict::Begun:
    return;
  case Verdict::Differs:
  case Verdict::Faults:
  case Verdict::Failed:
  case Verdict::Waits:
    break;
  }
  if (!isOriginal)
    ++candidates;
}

static void list(std::string &text, const char *title,
                 const std::map<std::string, uint64_t> &counts) {
  for (const auto &[reason, number] : counts)
    text += formatv("  {0,6} {1}: {2}\n", number, title, reason);
}

std::string Summary::text() const {
  std::string text;
  list(text, "kernels", forms);
  list(text, "refused", refusals);
  list(text, "does not fit", misfits);
  list(text, "not interpreted", unable);
  list(text, "executed as amdgcn", executed);
  for (const Finding &finding : findings)
    text += formatv("  FOUND seed {0} at {1}: {2}: {3}{4}\n", finding.seed, finding.grain,
                    finding.kind(), finding.detail,
                    finding.file.empty() ? "" : " (" + finding.file + ")");
  uint64_t share = candidates ? pairs * 100 / candidates : 0;
  double each = kernels ? seconds / double(kernels) : 0;
  return text +
         formatv("fuzz: seeds {0} to {1}: {2} kernels, {3} pairs agree ({4}% of those "
                 "tried), {5} of them interpreted as well, {6} optimised, {7} do not; {8:f2} s "
                 "a kernel\n",
                 firstSeed, firstSeed + kernels - 1, kernels, pairs, share, confirmed, optimised,
                 findings.size(), each)
             .str();
}

std::string Summary::json() const {
  nlohmann::ordered_json found = nlohmann::ordered_json::array();
  for (const Finding &finding : findings)
    found.push_back({{"seed", finding.seed},
                     {"grain", finding.grain},
                     {"verdict", finding.kind()},
                     {"detail", finding.detail},
                     {"file", finding.file}});
  nlohmann::ordered_json document = {
      {"schema", "regrain.fuzz/1.0"},
      {"machine",
       {{"processor", llvm::sys::getHostCPUName().str()},
        {"cores", std::thread::hardware_concurrency()}}},
      {"llvm", LLVM_VERSION_STRING},
      {"first_seed", firstSeed},
      {"last_seed", firstSeed + (kernels ? kernels - 1 : 0)},
      {"kernels", kernels},
      {"kernels_cooperating", cooperating},
      {"kernels_of_known_forms", patterns},
      {"kernels_not_raised", notRaised},
      {"pairs_tried", candidates},
      {"pairs_agreeing", pairs},
      {"pairs_interpreted", confirmed},
      {"pairs_optimised", optimised},
      {"pairs_by_word", words},
      {"seconds_per_kernel", kernels ? seconds / double(kernels) : 0},
      {"forms", forms},
      {"refusals", refusals},
      {"misfits", misfits},
      {"not_interpreted", unable},
      {"executed_as_amdgcn", executed},
      {"findings", found}};
  return document.dump(2) + "\n";
}

} // namespace regrain::fuzz
