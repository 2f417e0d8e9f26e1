//===- Emit.cpp - Programs and their legal grains -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Emit.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace regrain::fuzz {

/// Returns the grains of one kernel that no transform refuses, whatever their
/// outcome here.
static std::vector<std::string> legalGrains(const GuardedRun &run, uint32_t kernel) {
  std::vector<std::string> grains;
  for (const Outcome &outcome : run.outcomes)
    if (outcome.kernel == kernel && outcome.grain != "original" &&
        (outcome.verdict == Verdict::Same || isFinding(outcome.verdict)))
      grains.push_back(outcome.grain);
  return grains;
}

static bool checksItself(const Specimen &kernel) {
  auto *program = std::get_if<cooperation::Program>(&kernel);
  return program && !program->checks.empty();
}

bool Emitter::write(const std::string &name, const std::string &text) const {
  std::string path = folder + "/" + name;
  std::error_code failed = llvm::sys::fs::create_directories(folder);
  if (!failed) {
    llvm::raw_fd_ostream stream(path, failed);
    if (!failed) {
      stream << text;
      return true;
    }
  }
  llvm::errs() << "regrain-fuzz: cannot write " << path << ": " << failed.message() << "\n";
  return false;
}

bool Emitter::add(const std::vector<Subject> &subjects, const GuardedRun &run) {
  for (uint32_t i = 0; i < subjects.size(); ++i) {
    const Specimen &kernel = subjects[i].kernel;
    std::vector<std::string> grains = legalGrains(run, i);
    if (grains.empty())
      continue;
    std::string file = "seed" + std::to_string(seedOf(kernel)) + ".cu";
    if (!write(file, printProgram(kernel, "kernel")))
      return false;
    programs.push_back({{"seed", seedOf(kernel)},
                        {"file", file},
                        {"checks_itself", checksItself(kernel)},
                        {"grains", grains},
                        {"forms", formsOf(kernel)}});
  }
  return write("programs.json", programs.dump(1) + "\n");
}

} // namespace regrain::fuzz
