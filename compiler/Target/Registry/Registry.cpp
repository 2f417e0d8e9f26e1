//===- Registry.cpp - All targets -----------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Registry/Registry.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace regrain;

// Families.inc is written from REGRAIN_TARGETS in compiler/CMakeLists.txt.
namespace regrain {
#define REGRAIN_TARGET(family) const TargetFamily &family();
#include "compiler/Target/Registry/Families.inc"
#undef REGRAIN_TARGET
} // namespace regrain

llvm::ArrayRef<const TargetFamily *> regrain::targetFamilies() {
  static const TargetFamily *const families[] = {
#define REGRAIN_TARGET(family) &family(),
#include "compiler/Target/Registry/Families.inc"
#undef REGRAIN_TARGET
  };
  return families;
}

const TargetFamily *regrain::findFamily(llvm::StringRef name) {
  for (const TargetFamily *family : targetFamilies())
    if (family->claims(name))
      return family;
  return nullptr;
}

std::string regrain::targetNames() {
  return llvm::join(
      llvm::map_range(targetFamilies(), [](const TargetFamily *family) { return family->names(); }),
      ", ");
}

const CodeStage *regrain::findStage(llvm::StringRef name) {
  for (const TargetFamily *family : targetFamilies())
    for (const CodeStage &stage : family->stages())
      if (stage.name == name)
        return &stage;
  return nullptr;
}

std::vector<std::string> regrain::stageNames() {
  std::vector<std::string> names;
  for (const TargetFamily *family : targetFamilies())
    for (const CodeStage &stage : family->stages())
      if (!llvm::is_contained(names, stage.name))
        names.push_back(stage.name.str());
  return names;
}

TargetFeatures regrain::featuresOf(llvm::ArrayRef<std::string> targets) {
  TargetFeatures all;
  for (llvm::StringRef name : targets) {
    const TargetFamily *family = findFamily(name);
    TargetFeatures own = family ? family->features(name) : TargetFeatures();
    all.choosesAddresses |= own.choosesAddresses;
    all.boundGivesRegisters |= own.boundGivesRegisters;
    all.streamsStores |= own.streamsStores;
    all.streamsLoads |= own.streamsLoads;
    all.prefetches |= own.prefetches;
    all.alignsAccesses |= own.alignsAccesses;
    all.choosesControlFlow |= own.choosesControlFlow;
    all.packsArithmetic |= own.packsArithmetic;
    all.hasWarpBarriers |= own.hasWarpBarriers;
    all.copiesRows |= own.copiesRows;
    all.accessesInWarps |= own.accessesInWarps;
  }
  return all;
}

std::optional<Multiprocessor> regrain::multiprocessorOf(llvm::StringRef name) {
  const TargetFamily *family = findFamily(name);
  return family ? family->multiprocessor(name) : std::nullopt;
}

std::vector<Multiprocessor> regrain::multiprocessorsOf(llvm::ArrayRef<std::string> targets) {
  std::vector<Multiprocessor> known;
  for (llvm::StringRef name : targets)
    if (std::optional<Multiprocessor> multiprocessor = multiprocessorOf(name))
      known.push_back(*multiprocessor);
  return known;
}

llvm::Expected<std::vector<SelectedTarget>>
regrain::selectTargets(llvm::ArrayRef<std::string> targets, CodeForm form,
                       std::vector<std::string> &warnings) {
  std::vector<SelectedTarget> selected;
  for (const std::string &name : targets) {
    const TargetFamily *family = findFamily(name);
    if (!family)
      return llvm::createStringError("'" + name + "' is not a target; targets are " +
                                     targetNames());
    if (llvm::Error error = family->check(name))
      return std::move(error);
    auto target = family->create(name, form, warnings);
    if (!target)
      return target.takeError();
    bool known = llvm::any_of(selected, [&](const SelectedTarget &other) {
      return other.kind == target->kind && other.arch == target->arch;
    });
    if (!known)
      selected.push_back(std::move(*target));
  }
  return selected;
}
