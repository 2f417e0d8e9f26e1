//===- CompileAll.cpp - All modules of one file ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/CompileAll.h"

#include "compiler/Alternatives/RegisterSteps.h"
#include "compiler/DeviceIR/Annotations.h"
#include "compiler/Pipelines/CompileAlternative.h"
#include "compiler/Pipelines/CompileBudget.h"
#include "compiler/Pipelines/Contain.h"
#include "compiler/Pipelines/Prepare.h"
#include "compiler/Pipelines/ShareCode.h"
#include "compiler/Pipelines/TakeVendorCode.h"
#include "compiler/Remarks/Remarks.h"
#include "compiler/Selection/Judge.h"
#include "compiler/Selection/ProposeRegisters.h"
#include "runtime/image/max_resident.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/WithColor.h"
#include <atomic>
#include <functional>
#include <map>
#include <mutex>

using namespace regrain;

namespace {

llvm::Error compileBase(Build &build, unsigned index, VendorCode &vendor) {
  const SelectedTarget &target = build.targets[index];
  const DeviceWork &device = build.deviceFor(target);
  llvm::ArrayRef<char> bitcode = device.originalsFor(target.target->takesFixedProducts());
  return runContained([&]() -> llvm::Error {
    llvm::LLVMContext context;
    auto module = llvm::parseBitcodeFile(
        llvm::MemoryBufferRef(llvm::StringRef(bitcode.data(), bitcode.size()), "device"), context);
    if (!module)
      return module.takeError();
    for (const DeviceKernel &kernel : device.code->offeredKernels)
      removeKernel(*(*module)->getFunction(kernel.symbol));
    Companions companions = companionsFor(build, index, vendor);
    auto compiled =
        companions.code.kernels.empty()
            ? target.target->compileBase(std::move(*module), device.kernelSymbols(),
                                         build.options.codegen)
            : target.target->compileBaseWith(companions.code, std::move(*module),
                                             device.kernelSymbols(), build.options.codegen);
    if (!compiled)
      return compiled.takeError();
    addRefused(companions, *compiled);
    build.bases[index] = std::move(*compiled);
    return llvm::Error::success();
  });
}

using Job = std::function<llvm::Error()>;

/// Runs the jobs on the machine's cores; returns the errors of all that failed.
llvm::Error runJobs(llvm::ArrayRef<Job> jobs) {
  std::vector<llvm::Error> errors;
  for (size_t i = 0; i < jobs.size(); ++i)
    errors.push_back(llvm::Error::success());
  {
    llvm::DefaultThreadPool pool;
    for (auto [job, error] : llvm::zip_equal(jobs, errors))
      pool.async([&job, &error] { error = job(); });
    pool.wait();
  }
  llvm::Error all = llvm::Error::success();
  for (llvm::Error &error : errors)
    all = llvm::joinErrors(std::move(all), std::move(error));
  return all;
}

/// Waits for the originals, whose jobs start before any job that calls this.
uint64_t sizeOfOriginal(const Build &build, unsigned kernel, unsigned target) {
  build.basesLeft->wait();
  const KernelCode *original = build.originalOf(kernel, target);
  return original ? original->instructions : 0;
}

/// The budgets of kernels on targets, by their indices.
using Budgets = std::map<std::pair<unsigned, unsigned>, CompileBudget>;

Budgets makeBudgets(const Build &build) {
  Budgets budgets;
  for (auto [kernel, plan] : llvm::enumerate(build.prepared.plan.kernels))
    for (auto [index, target] : llvm::enumerate(build.targets))
      budgets.try_emplace({kernel, index}, plan.requested, plan.budget, target.target->smallCode(),
                          build.prepared.plan.kernels.size());
  return budgets;
}

/// Returns the rules by which a grain of the space may be dropped for its size. Nothing that was
/// asked for is dropped, nor is the control, nor what is as large as the original.
Admission admissionOf(const Build &build, const Build::AlternativeTask &task, Budgets &budgets) {
  const KernelPlan &plan = build.prepared.plan.kernels[task.kernel];
  if (task.grain < plan.requested || plan.isBesideSpace(task.grain) ||
      onlyBoundsRegisters(plan.grains[task.grain]) || build.options.allAlternatives)
    return {};
  Admission admission;
  admission.findSpent = [&](unsigned target) {
    return budgets.at({task.kernel, target}).findSpent();
  };
  admission.findExcess = [&](unsigned target, uint64_t instructions) {
    return budgets.at({task.kernel, target}).admit(task.grain, instructions, [&] {
      return sizeOfOriginal(build, task.kernel, target);
    });
  };
  return admission;
}

/// Returns the outcome for a variant that the source does not offer to this device compile.
AlternativeOutcome refuseVariant(const DeviceKernel &original, const Grain &grain,
                                 llvm::ArrayRef<OfferedVariant> variants) {
  std::string reason = findVariant(variants, grain)
                           ? "the source does not offer this variant for the architecture"
                           : describeOffer(variants);
  AlternativeOutcome outcome;
  outcome.refused.push_back(refuseGrain(original, toString(grain), "frontend",
                                        {RefusalKind::NotOffered, std::move(reason)}));
  return outcome;
}

/// Returns the name of what launches of `original` run at a grain of `kernel`, which is another one
/// for a variant. Kernels that offer the same variant each have code of their own, because a target
/// may link all code of a file.
std::string symbolFor(const DeviceKernel &original, const DeviceKernel &kernel,
                      const Grain &grain) {
  std::string symbol = symbolAt(kernel, grain);
  return grain.variant.empty() ? symbol : symbol + "__of_" + original.symbol;
}

llvm::Error compileTask(const Build &build, Build::AlternativeTask &task, Budgets &budgets) {
  const KernelPlan &plan = build.prepared.plan.kernels[task.kernel];
  const Grain &grain = plan.grains[task.grain];
  const DeviceKernel &original = task.device->kernelNamed(build.code().kernels[task.kernel].symbol);
  const OfferedVariant *offered = findVariant(plan.variants, grain);
  const DeviceKernel *kernel = offered ? task.device->findKernel(offered->variant) : &original;
  if (isVendors(grain))
    takeFromBase(build, task);
  else if (!kernel || (!offered && !grain.variant.empty()))
    task.outcome = refuseVariant(original, grain, plan.variants);
  else
    task.outcome = compileAlternative(
        *task.device, *kernel, symbolFor(original, *kernel, grain), grain, build.targets,
        build.options.codegen, build.options.alternativeSeconds, admissionOf(build, task, budgets));
  for (RefusedGrain &refused : task.outcome.refused)
    std::tie(refused.kernel, refused.symbol) = std::tie(original.name, original.symbol);
  for (auto [index, target] : llvm::enumerate(build.targets))
    if (target.deviceArch == task.device->arch)
      budgets.at({task.kernel, index}).end(task.grain);
  return llvm::Error::success();
}

void addTasks(Build &build, unsigned kernel, unsigned firstGrain) {
  for (const DeviceWork &device : build.prepared.works)
    for (unsigned grain = firstGrain; grain < build.prepared.plan.kernels[kernel].grains.size();
         ++grain)
      if (!maxResidentOf(build.prepared.plan.kernels[kernel].grains[grain])) // see shareCode
        build.alternatives.push_back({&device, kernel, grain, {}});
}

/// Returns how many grains of the kernel's space count towards its budget: those that have code,
/// and those that took, or would have taken, too long to compile.
size_t countTaken(const Build &build, unsigned kernel) {
  const KernelPlan &plan = build.prepared.plan.kernels[kernel];
  llvm::DenseSet<unsigned> taken;
  for (const Build::AlternativeTask &task : build.alternatives)
    if (task.kernel == kernel && task.grain >= plan.requested && !plan.isBesideSpace(task.grain) &&
        (task.outcome.isThere() || task.outcome.timedOut || task.outcome.tooLarge))
      taken.insert(task.grain);
  return taken.size();
}

/// Adds tasks for the grains that each kernel tries next.
void tryNext(Build &build) {
  for (auto [kernel, plan] : llvm::enumerate(build.prepared.plan.kernels)) {
    unsigned firstGrain = plan.grains.size();
    if (plan.tryNext(countTaken(build, kernel)))
      addTasks(build, kernel, firstGrain);
  }
}

/// Adds tasks for the vendor's code within fewer registers. Returns the targets whose base modules
/// are to be compiled with it.
std::vector<unsigned> addVendorRegisters(Build &build) {
  std::vector<unsigned> before, lacking;
  for (const KernelPlan &plan : build.prepared.plan.kernels)
    before.push_back(plan.grains.size());
  if (!proposeVendorRegisters(build, [&](unsigned kernel, unsigned target) {
        return vendorCodeOf(build, kernel, target);
      }))
    return lacking;
  for (auto [kernel, firstGrain] : llvm::enumerate(before))
    addTasks(build, kernel, firstGrain);
  for (auto [index, target] : llvm::enumerate(build.targets))
    if (target.target->takesCompanions())
      lacking.push_back(index);
  return lacking;
}

/// Tells the observer of a file's modules.
class Announcer {
public:
  Announcer(const Build &build, CompileObserver *observer) : build(build), observer(observer) {}
  Announcer(const Announcer &) = delete;
  ~Announcer() {
    if (observer)
      observer->finish();
  }

  void expect(size_t modules) { known = modules; }
  void begin(const Build::AlternativeTask &task) {
    if (observer)
      tell(build.code().kernels[task.kernel].name,
           toString(build.prepared.plan.kernels[task.kernel].grains[task.grain]));
  }
  void end() {
    ++done;
    if (observer)
      tell("", "");
  }

private:
  void tell(const std::string &kernel, const std::string &grain) {
    std::lock_guard lock(telling);
    state.source = build.options.source;
    if (!kernel.empty()) {
      state.kernel = kernel;
      state.grain = grain;
    }
    state.done = done;
    state.known = known;
    observer->update(state);
  }

  const Build &build;
  CompileObserver *observer;
  std::atomic<size_t> done = 0, known = 0;
  std::mutex telling;
  CompileState state;
};

/// Compiles the originals, the grains that --coarsen asks for and the first grains of each space;
/// then those that the registers of the originals and of the vendor's code suggest, and as many
/// further grains as were refused, until no space has more.
llvm::Error runTasks(Build &build, VendorCode &vendor, CompileObserver *observer) {
  build.bases.resize(build.targets.size());
  Announcer announcer(build, observer);
  std::vector<Job> jobs;
  auto compileBases = [&](llvm::ArrayRef<unsigned> targets) {
    build.basesLeft = std::make_unique<std::latch>(targets.size());
    for (unsigned target : targets)
      jobs.push_back([&build, &vendor, &announcer, target] {
        llvm::Error error = compileBase(build, target, vendor);
        build.basesLeft->count_down();
        announcer.end();
        return error;
      });
  };
  compileBases(llvm::to_vector(llvm::seq<unsigned>(build.bases.size())));
  for (unsigned kernel = 0; kernel < build.prepared.plan.kernels.size(); ++kernel)
    addTasks(build, kernel, /*firstGrain=*/1);
  reserveForRegisters(build);
  tryNext(build);
  Budgets budgets = makeBudgets(build);
  size_t expectedBases = jobs.size();
  for (size_t started = 0; !jobs.empty() || started < build.alternatives.size();) {
    bool areFirst = started == 0;
    for (; started < build.alternatives.size(); ++started)
      jobs.push_back([&build, &budgets, &announcer, started] {
        announcer.begin(build.alternatives[started]);
        llvm::Error error = compileTask(build, build.alternatives[started], budgets);
        announcer.end();
        return error;
      });
    announcer.expect(expectedBases + build.alternatives.size());
    if (llvm::Error error = runJobs(jobs))
      return error;
    jobs.clear();
    if (areFirst) {
      proposeRegisters(build);
      compileBases(addVendorRegisters(build));
      expectedBases += jobs.size();
    }
    tryNext(build);
  }
  shareCode(build);
  return llvm::Error::success();
}

/// Collects refusals, each only once if several device compiles refuse a grain for the same reason,
/// and withdraws choices that no target has code for.
void collectRefusals(Build &build) {
  build.refused = build.prepared.plan.refused;
  llvm::DenseSet<std::pair<unsigned, unsigned>> served;
  std::map<std::pair<unsigned, unsigned>, std::vector<RefusedGrain>> refused;
  for (Build::AlternativeTask &task : build.alternatives) {
    std::pair grain(task.kernel, task.grain);
    const KernelPlan &plan = build.prepared.plan.kernels[task.kernel];
    bool asked = task.grain < plan.requested;
    if (plan.isBesideSpace(task.grain))
      task.outcome.refused.clear(); // nobody asked for it; it is listed among the candidates
    for (RefusedGrain &entry : task.outcome.refused) {
      entry.asked = asked;
      if (std::vector<RefusedGrain> &known = refused[grain]; !llvm::is_contained(known, entry))
        known.push_back(std::move(entry));
    }
    if (!task.outcome.outputs.empty())
      served.insert(grain);
    if (task.outcome.wholeWarps)
      build.prepared.plan.kernels[task.kernel].wholeWarps.insert(task.grain);
    if (task.outcome.lentBytes) {
      uint64_t &bytes = build.prepared.plan.kernels[task.kernel].lentBytes[task.grain];
      bytes = std::max(bytes, task.outcome.lentBytes);
    }
  }
  for (auto &[grain, entries] : refused)
    llvm::move(entries, std::back_inserter(build.refused));
  for (auto [kernel, plan] : llvm::enumerate(build.prepared.plan.kernels)) {
    std::vector<unsigned> &choices = plan.nextChoices;
    choices.insert(choices.begin(), plan.chosen);
    llvm::erase_if(choices, [&, kernel = unsigned(kernel)](unsigned grain) {
      return !served.contains({kernel, grain});
    });
    plan.chosen = choices.empty() ? 0 : choices.front();
    if (!choices.empty())
      choices.erase(choices.begin());
    llvm::erase_if(plan.classChoices, [&, kernel = unsigned(kernel)](const auto &choice) {
      return choice.grain != 0 && !served.contains({kernel, choice.grain});
    });
  }
}

} // namespace

llvm::Expected<std::unique_ptr<Build>> regrain::compileAll(llvm::ArrayRef<ArchedDevice> devices,
                                                           const ImageOptions &options,
                                                           CompileObserver *observer) {
  auto build = std::make_unique<Build>(Build{options, {}, {}, {}, {}, {}, {}, {}});
  std::vector<std::string> warnings;
  auto targets = selectTargets(options.targets, options.form, warnings);
  if (!targets)
    return targets.takeError();
  build->targets = std::move(*targets);
  ImageOptions planned = options;
  if (llvm::none_of(build->targets,
                    [](const SelectedTarget &target) { return target.target->takesCompanions(); }))
    planned.vendor = {};
  VendorCode vendor(planned, build->targets);
  auto prepared = prepareDevices(devices, planned);
  if (!prepared)
    return prepared.takeError();
  build->prepared = std::move(*prepared);
  if (llvm::Error error = runTasks(*build, vendor, observer))
    return std::move(error);
  judge(*build);
  collectRefusals(*build);
  dropUnused(*build);
  llvm::append_range(warnings, build->prepared.plan.warnings);
  if (!warnings.empty() && options.failsOnWarnings)
    return llvm::createStringError(options.source + ": " + llvm::join(warnings, "; ") +
                                   " [-Werror]");
  for (const std::string &warning : warnings)
    llvm::WithColor::warning() << options.source << ": " << warning << "\n";
  printRemarks(*build);
  if (llvm::Error error = writeRemarkRecord(*build))
    return std::move(error);
  return build;
}
