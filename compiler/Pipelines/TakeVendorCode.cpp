//===- TakeVendorCode.cpp - The vendor's code as alternatives -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/TakeVendorCode.h"

#include "compiler/Pipelines/CompileAlternative.h"
#include "runtime/image/max_resident.h"
#include "llvm/ADT/STLExtras.h"

using namespace regrain;

/// Returns whether the plan can have a grain of the vendor's compiler.
static bool mayAsk(const ImageOptions &options) {
  auto names = [](llvm::StringRef spec) { return spec.contains("compiler="); };
  return options.alternatives || options.allAlternatives ||
         llvm::any_of(options.coarsen, [&](const auto &request) { return names(request.spec); }) ||
         llvm::any_of(options.choices.kernels, [&](const KernelChoices &choices) {
           return llvm::any_of(choices.alternatives, names);
         });
}

VendorCode::VendorCode(const ImageOptions &options, llvm::ArrayRef<SelectedTarget> targets) {
  if (options.vendor.nvcc.empty() || !mayAsk(options))
    return;
  for (const SelectedTarget &target : targets) {
    Architecture arch = target.deviceArch;
    if (target.target->takesCompanions() && !results.contains(arch))
      results.emplace(arch, std::async(std::launch::async, [&options, arch] {
                        return vendorPtx(options.vendor, options.source, arch,
                                         options.alternativeSeconds);
                      }));
  }
}

const OrError<std::string> &VendorCode::ptxFor(Architecture arch) const {
  static const OrError<std::string> none =
      tl::unexpected(std::string("there is no nvcc; set CUDA_PATH to a CUDA toolkit"));
  auto found = results.find(arch);
  return found == results.end() ? none : found->second.get();
}

/// Returns the demangled names of the read-only data of a module.
static llvm::StringSet<> constantsOf(const llvm::Module &module) {
  llvm::StringSet<> names;
  for (const llvm::GlobalVariable &variable : module.globals())
    if (variable.isConstant())
      names.insert(plainName(variable.getName()));
  return names;
}

Companions regrain::companionsFor(const Build &build, unsigned target, const VendorCode &vendor) {
  const DeviceWork &device = build.deviceFor(build.targets[target]);
  std::vector<WantedCompanion> wanted;
  for (auto [kernel, plan] : llvm::zip_equal(build.code().kernels, build.prepared.plan.kernels))
    for (const Grain &grain : plan.grains)
      if (isVendors(grain) && !maxResidentOf(grain)) {
        auto bound = grain.codegen.find("registers");
        wanted.push_back({&device.kernelNamed(kernel.symbol), symbolAt(kernel, grain),
                          bound == grain.codegen.end() ? 0 : bound->second});
      }
  if (wanted.empty() || !build.targets[target].target->takesCompanions())
    return {};
  auto refuseAll = [&](const std::string &why) {
    Companions none;
    for (const WantedCompanion &want : wanted)
      none.refused[want.symbol] = why;
    return none;
  };
  const OrError<std::string> &ptx = vendor.ptxFor(device.arch);
  if (!ptx)
    return refuseAll(ptx.error());
  llvm::Expected<PtxModule> module = parsePtxModule(*ptx);
  if (!module)
    return refuseAll(llvm::toString(module.takeError()));
  return takeCompanions(*module, wanted, device.variables, constantsOf(*device.code->module));
}

void regrain::addRefused(const Companions &companions, CompiledModule &base) {
  for (const auto &[symbol, why] : companions.refused) {
    KernelCode &code = base.kernels.emplace_back();
    code.symbol = symbol;
    code.refusal = Refusal{RefusalKind::VendorCode, why};
  }
}

/// Returns the kernel of that name in a base module, which may be refused; null if there is none.
static const KernelCode *findIn(const CompiledModule &base, llvm::StringRef symbol) {
  auto found =
      llvm::find_if(base.kernels, [&](const KernelCode &one) { return one.symbol == symbol; });
  return found == base.kernels.end() ? nullptr : &*found;
}

const KernelCode *regrain::vendorCodeOf(const Build &build, unsigned kernel, unsigned target) {
  static const Grain vendors = {.words = {{"compiler", "nvcc"}}};
  const KernelPlan &plan = build.prepared.plan.kernels[kernel];
  if (!build.bases[target] || !llvm::is_contained(plan.grains, vendors))
    return nullptr;
  const KernelCode *code =
      findIn(*build.bases[target], symbolAt(build.code().kernels[kernel], vendors));
  return code && !code->refusal ? code : nullptr;
}

void regrain::takeFromBase(const Build &build, Build::AlternativeTask &task) {
  build.basesLeft->wait();
  const DeviceKernel &kernel = build.code().kernels[task.kernel];
  const Grain &grain = build.prepared.plan.kernels[task.kernel].grains[task.grain];
  std::string symbol = symbolAt(kernel, grain);
  for (auto [index, target] : llvm::enumerate(build.targets)) {
    if (target.deviceArch != task.device->arch || !build.bases[index])
      continue;
    CandidateCode code;
    code.target = index;
    const KernelCode *made = findIn(*build.bases[index], symbol);
    Refusal refusal = {RefusalKind::NotOnTarget,
                       "only machine code for NVIDIA's GPUs can contain the code of nvcc"};
    if (made && !made->refusal) {
      CompiledModule module;
      module.kernels.push_back(*made);
      task.outcome.outputs.push_back({unsigned(index), std::move(module), {}, /*isInBase=*/true});
    } else {
      if (made)
        refusal = *made->refusal;
      task.outcome.refused.push_back(
          refuseGrain(kernel, toString(grain), target.target->name(), std::move(refusal)));
      code.verdict = {CandidateOutcome::Refused, objectionOf(task.outcome.refused.back())};
    }
    task.outcome.codes.push_back(std::move(code));
  }
  if (task.outcome.codes.empty())
    task.outcome.refused.push_back(refuseGrain(
        kernel, toString(grain), "targets",
        {RefusalKind::NotOnTarget, "no target is named that can contain the code of nvcc"}));
}
