//===- Family.cpp - AMD's GPUs among the targets --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/AMDGPU.h"
#include "compiler/Target/AMDGPU/Chip.h"
#include "compiler/Target/AMDGPU/Occupancy.h"
#include "compiler/Target/TargetFamily.h"

using namespace regrain;

namespace {

constexpr CodeStage amdgpuStages[] = {{"amdgcn", "gfx90a", CodeForm::IR},
                                      {"hsaco", "gfx90a", CodeForm::Image, /*isBinary=*/true},
                                      {"asm", "gfx90a", CodeForm::Assembly}};

class AMDGPUFamily final : public TargetFamily {
public:
  std::string names() const override { return amdgpu::chipNames(); }
  bool claims(llvm::StringRef name) const override { return name.starts_with("gfx"); }
  llvm::Error check(llvm::StringRef name) const override { return amdgpu::checkChip(name); }
  llvm::ArrayRef<CodeStage> stages() const override { return amdgpuStages; }
  TargetFeatures features(llvm::StringRef) const override {
    return {.boundGivesRegisters = true,
            .streamsStores = true,
            .hasWarpBarriers = true,
            .accessesInWarps = true};
  }

  std::optional<Multiprocessor> multiprocessor(llvm::StringRef name) const override {
    const amdgpu::Chip *chip = amdgpu::findChip(name);
    return chip ? std::optional(amdgpu::multiprocessorOf(*chip)) : std::nullopt;
  }

  llvm::Expected<SelectedTarget> create(llvm::StringRef name, CodeForm form,
                                        std::vector<std::string> &) const override {
    AMDGPUOptions options;
    options.form = form;
    auto target = createAMDGPUTarget(name, options);
    if (!target)
      return target.takeError();
    SelectedTarget selected;
    selected.target = std::move(*target);
    selected.kind = image::CodeKind::Hsaco;
    selected.arch = name.str();
    selected.keyTargets = KeyTargets::Amd;
    return selected;
  }
};

} // namespace

const TargetFamily &regrain::amdgpuFamily() {
  static const AMDGPUFamily family;
  return family;
}
