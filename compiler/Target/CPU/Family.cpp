//===- Family.cpp - The CPU among the targets -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/CPU.h"
#include "compiler/Target/TargetFamily.h"

using namespace regrain;

namespace {

constexpr CodeStage cpuStages[] = {{"asm", "cpu", CodeForm::Assembly}};

class CPUFamily final : public TargetFamily {
public:
  std::string names() const override { return "cpu"; }
  bool claims(llvm::StringRef name) const override { return name == "cpu"; }
  llvm::Error check(llvm::StringRef) const override { return llvm::Error::success(); }
  bool isGPU() const override { return false; }
  llvm::ArrayRef<CodeStage> stages() const override { return cpuStages; }

  llvm::Expected<SelectedTarget> create(llvm::StringRef, CodeForm form,
                                        std::vector<std::string> &) const override {
    CPUOptions options;
    options.assembly = form == CodeForm::Assembly;
    SelectedTarget selected;
    selected.target = std::make_unique<CPUTarget>(options);
    selected.kind = image::CodeKind::CpuSharedObject;
    selected.arch = "x86-64-v3";
    selected.keyTargets = KeyTargets::Cpu;
    selected.linksObjects = !options.assembly;
    selected.reachesBySlots = false;
    return selected;
  }
};

} // namespace

const TargetFamily &regrain::cpuFamily() {
  static const CPUFamily family;
  return family;
}
