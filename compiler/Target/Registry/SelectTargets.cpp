//===- SelectTargets.cpp - From names of targets to back ends -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Registry/SelectTargets.h"

#include "compiler/Target/AMDGPU/AMDGPU.h"
#include "compiler/Target/AMDGPU/Chip.h"
#include "compiler/Target/AMDGPU/Occupancy.h"
#include "compiler/Target/CPU/CPU.h"
#include "compiler/Target/NVPTX/NVPTX.h"
#include "compiler/Target/NVPTX/Occupancy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace regrain;

namespace {

/// The architecture from which the CPU and portable PTX are lowered: it is so old that sources do
/// not use inline assembly for newer NVIDIA hardware.
constexpr unsigned portableArch = 70;

/// Returns the number in "sm_90", "sm_90a" or "compute_90"; nothing for other names.
std::optional<unsigned> archNumber(llvm::StringRef name) {
  if (!name.consume_front("sm_") && !name.consume_front("compute_"))
    return std::nullopt;
  unsigned arch = 0;
  if (name.consumeInteger(10, arch) || !(name.empty() || name == "a"))
    return std::nullopt;
  return arch;
}

llvm::Expected<unsigned> deviceArchFor(llvm::StringRef name) {
  if (name == "cpu" || name == "cpu-assembly" || name == "ptx" || name.starts_with("gfx"))
    return portableArch;
  if (std::optional<unsigned> arch = archNumber(name))
    return *arch;
  return llvm::createStringError("'" + name +
                                 "' is not a target; targets are cpu, ptx, compute_NN, sm_NN, " +
                                 amdgpu::chipNames());
}

llvm::Expected<SelectedTarget> selectNVIDIA(llvm::StringRef name, unsigned arch,
                                            std::vector<std::string> &warnings) {
  bool cubin = name.starts_with("sm_");
  auto target = createNVPTXTarget(name);
  if (!target && cubin) {
    warnings.push_back(llvm::toString(target.takeError()) + "; " + name.str() +
                       " is served by PTX, which the driver assembles");
    cubin = false;
    target = createNVPTXTarget("compute_" + name.drop_front(3).str());
  }
  if (!target)
    return target.takeError();
  std::string archName = cubin ? name.str() : "sm_" + std::to_string(arch);
  return SelectedTarget{std::move(*target), cubin ? image::CodeKind::Cubin : image::CodeKind::Ptx,
                        archName, arch};
}

llvm::Expected<SelectedTarget> selectAMD(llvm::StringRef name) {
  AMDGPUOptions options;
  if (name.consume_back("-ir"))
    options.output = AMDGPUOutput::IR;
  else if (name.consume_back("-assembly"))
    options.output = AMDGPUOutput::Assembly;
  auto target = createAMDGPUTarget(name, options);
  if (!target)
    return target.takeError();
  return SelectedTarget{std::move(*target), image::CodeKind::Hsaco, name.str(), portableArch,
                        options.output != AMDGPUOutput::CodeObject};
}

llvm::Expected<SelectedTarget> selectTarget(llvm::StringRef name,
                                            std::vector<std::string> &warnings) {
  auto arch = deviceArchFor(name);
  if (!arch)
    return arch.takeError();
  if (name.starts_with("gfx"))
    return selectAMD(name);
  if (!name.starts_with("cpu"))
    return selectNVIDIA(name, *arch, warnings);
  CPUOptions options;
  options.assembly = name == "cpu-assembly";
  return SelectedTarget{std::make_unique<CPUTarget>(options), image::CodeKind::CpuSharedObject,
                        "x86-64-v3", *arch, options.assembly};
}

} // namespace

llvm::Expected<std::vector<unsigned>> regrain::deviceArchsFor(llvm::ArrayRef<std::string> targets) {
  std::vector<unsigned> archs;
  for (const std::string &name : targets) {
    auto arch = deviceArchFor(name);
    if (!arch)
      return arch.takeError();
    if (!llvm::is_contained(archs, *arch))
      archs.push_back(*arch);
  }
  llvm::sort(archs);
  return archs;
}

std::vector<Multiprocessor> regrain::multiprocessorsOf(llvm::ArrayRef<std::string> targets) {
  std::vector<Multiprocessor> known;
  for (llvm::StringRef name : targets) {
    std::optional<Multiprocessor> multiprocessor;
    if (const amdgpu::Chip *chip = amdgpu::findChip(name.substr(0, name.find("-"))))
      multiprocessor = amdgpu::multiprocessorOf(*chip);
    else if (std::optional<unsigned> arch = archNumber(name))
      multiprocessor = nvptx::multiprocessorOf(*arch);
    if (multiprocessor)
      known.push_back(*multiprocessor);
  }
  return known;
}

llvm::Expected<std::vector<SelectedTarget>>
regrain::selectTargets(llvm::ArrayRef<std::string> targets, std::vector<std::string> &warnings) {
  std::vector<SelectedTarget> selected;
  for (const std::string &name : targets) {
    auto target = selectTarget(name, warnings);
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
