//===- grain_help.cpp - Description of SPEC for the documentation ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/grain_keys.h"

namespace regrain {
namespace {

/// Returns the words of `text` as code, separated by `between`.
std::string code(std::string_view text, const char *between) {
  std::string result;
  while (!text.empty()) {
    size_t blank = text.find(' ');
    result += (result.empty() ? "`" : std::string(between) + "`") +
              std::string(text.substr(0, blank)) + "`";
    text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
  }
  return result;
}

std::string stepText(KeyStep step) {
  switch (step) {
  case KeyStep::Specialise:
    return "before all other keys";
  case KeyStep::Regroup:
    return "when the nest of blocks and threads is regrouped";
  case KeyStep::Finish:
    return "after regrouping";
  case KeyStep::Generate:
    return "when a target generates code";
  case KeyStep::Launch:
    return "when the runtime launches the code";
  case KeyStep::None:
    break;
  }
  return "–";
}

/// Returns the targets that obey the key, and what the others do.
std::string targetsText(const GrainKey &key) {
  std::string names;
  auto add = [&](KeyTargets target, const char *name) {
    if (includes(key.targets, target))
      names += (names.empty() ? "" : ", ") + std::string(name);
  };
  if (key.targets == KeyTargets::All)
    return "all";
  add(KeyTargets::Cpu, "CPU");
  add(KeyTargets::Nvidia, "NVIDIA");
  add(KeyTargets::Amd, "AMD");
  return names + (key.refusedElsewhere.empty() ? "; others ignore it" : "; others refuse");
}

std::string orDash(std::string text) { return text.empty() ? "–" : text; }

} // namespace

std::string describeGrainKeys() {
  std::string text = "| Piece | Meaning | Without it | Targets | The original runs for launches |\n"
                     "|---|---|---|---|---|\n";
  for (const GrainKey &key : grainKeys()) {
    std::string help(key.help);
    if (key.isOfCodegen())
      help += " From " + std::to_string(key.least) + " to " + std::to_string(key.most) + ".";
    text += "| " + code(key.examples, "<br>") + " | " + help + " | " +
            orDash(std::string(key.absence)) + " | " + targetsText(key) + " | " +
            orDash(std::string(key.guard)) + " |\n";
  }
  text += "\n| Key | Takes effect | Fields of the image that repeat it |\n|---|---|---|\n";
  for (const GrainKey &key : grainKeys())
    text += "| " + code(key.name, "") + " | " + stepText(key.step) + " | " +
            orDash(code(key.fields, ", ")) + " |\n";
  return text;
}

} // namespace regrain
