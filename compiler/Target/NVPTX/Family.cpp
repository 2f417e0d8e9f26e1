//===- Family.cpp - NVIDIA's GPUs among the targets -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Chip/Occupancy.h"
#include "compiler/Target/NVPTX/NVPTX.h"
#include "compiler/Target/TargetFamily.h"

using namespace regrain;

namespace {

constexpr CodeStage nvptxStages[] = {{"ptx", "ptx or compute_90", CodeForm::Image},
                                     {"cubin", "sm_90", CodeForm::Image, /*isBinary=*/true}};

bool isCubin(llvm::StringRef name) { return name.starts_with("sm_"); }

/// Returns the architecture of "sm_90", "sm_90a" or "compute_90"; nothing for other names.
std::optional<Architecture> archOf(llvm::StringRef name) {
  bool hasPrefix = name.consume_front("sm_") || name.consume_front("compute_");
  return hasPrefix ? Architecture::parse(name) : std::nullopt;
}

class NVPTXFamily final : public TargetFamily {
public:
  std::string names() const override { return "ptx, compute_NN, sm_NN"; }
  bool claims(llvm::StringRef name) const override {
    return name == "ptx" || isCubin(name) || name.starts_with("compute_");
  }

  llvm::Error check(llvm::StringRef name) const override {
    if (name == "ptx" || archOf(name))
      return llvm::Error::success();
    return llvm::createStringError("'" + name + "' is not an NVIDIA target; they are " + names());
  }

  Architecture deviceArch(llvm::StringRef name) const override {
    return archOf(name).value_or(portableArch);
  }

  llvm::ArrayRef<CodeStage> stages() const override { return nvptxStages; }
  bool hasStage(llvm::StringRef name, const CodeStage &stage) const override {
    return stage.isBinary == isCubin(name);
  }
  TargetFeatures features(llvm::StringRef name) const override {
    constexpr unsigned firstWithAllPrefetches = 80, firstWithBulkCopies = 90;
    return {.choosesAddresses = true,
            .streamsStores = true,
            .streamsLoads = true,
            .prefetches = deviceArch(name).number >= firstWithAllPrefetches,
            .alignsAccesses = true,
            .choosesControlFlow = true,
            .packsArithmetic = true,
            .hasWarpBarriers = true,
            .copiesRows = deviceArch(name).number >= firstWithBulkCopies,
            .accessesInWarps = true};
  }

  std::optional<Multiprocessor> multiprocessor(llvm::StringRef name) const override {
    std::optional<Architecture> arch = archOf(name);
    return arch ? nvptx::multiprocessorOf(arch->number) : std::nullopt;
  }

  /// A cubin becomes PTX for the same architecture, with a warning, if ptxas cannot be
  /// found, or does not know the architecture.
  llvm::Expected<SelectedTarget> create(llvm::StringRef name, CodeForm form,
                                        std::vector<std::string> &warnings) const override {
    bool cubin = isCubin(name);
    NVPTXOptions options;
    options.form = form;
    auto target = createNVPTXTarget(name, options);
    if (!target && cubin) {
      warnings.push_back(llvm::toString(target.takeError()) + "; " + name.str() +
                         " is served by PTX, which the driver assembles");
      cubin = false;
      target = createNVPTXTarget("compute_" + name.drop_front(3).str(), options);
    }
    if (!target)
      return target.takeError();
    SelectedTarget selected;
    selected.target = std::move(*target);
    selected.kind = cubin ? image::CodeKind::Cubin : image::CodeKind::Ptx;
    selected.deviceArch = deviceArch(name);
    selected.arch = selected.deviceArch.chip();
    selected.keyTargets = KeyTargets::Nvidia;
    return selected;
  }
};

} // namespace

const TargetFamily &regrain::nvptxFamily() {
  static const NVPTXFamily family;
  return family;
}
