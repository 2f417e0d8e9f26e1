//===- Plan.cpp - Which grains to compile for each kernel -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/Plan.h"

#include "compiler/Alternatives/SeenLaunches.h"
#include "compiler/Alternatives/Space.h"
#include "compiler/Analysis/Arithmetic.h"
#include "compiler/Analysis/Footprint.h"
#include "compiler/Analysis/LoopTrips.h"
#include "compiler/Selection/ApplyChoices.h"
#include "compiler/Selection/GatherStatistics.h"
#include "compiler/Selection/MeasuredLaunches.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>

using namespace regrain;

bool regrain::asksForAlternatives(const ImageOptions &options, const DeviceCode &code) {
  return options.raise || !options.coarsen.empty() || options.alternatives ||
         options.allAlternatives || llvm::any_of(code.kernels, [&](const DeviceKernel &kernel) {
           return hasChoices(options, kernel);
         });
}

unsigned KernelPlan::add(const Grain &grain) {
  if (maxResidentOf(grain)) // it runs the code of another
    add(withAnyResidents(grain));
  auto known = llvm::find(grains, grain);
  if (known == grains.end())
    known = grains.insert(known, grain);
  return known - grains.begin();
}

void KernelPlan::choose(unsigned index) {
  if (chosen != 0)
    nextChoices.insert(nextChoices.begin(), chosen);
  llvm::erase(nextChoices, index);
  if (index == 0)
    nextChoices.clear();
  chosen = index;
}

unsigned KernelPlan::tryNext(size_t legal) {
  size_t tried = llvm::count_if(llvm::seq<unsigned>(requested, grains.size()),
                                [&](unsigned index) { return !isBesideSpace(index); });
  size_t bound = budget > space.size() + tried ? space.size() + tried : 4 * budget + 16;
  size_t taken = legal + reserved;
  size_t count = taken < budget && tried < bound ? std::min(budget - taken, bound - tried) : 0;
  count = std::min(count, space.size());
  grains.insert(grains.end(), space.begin(), space.begin() + count);
  space.erase(space.begin(), space.begin() + count);
  return count;
}

std::vector<unsigned> KernelPlan::compact(const std::vector<bool> &keep) {
  std::vector<unsigned> moved(grains.size());
  std::vector<Grain> kept = {grains.front()};
  llvm::DenseSet<unsigned> keptWholeWarps;
  llvm::DenseMap<unsigned, uint64_t> keptLent;
  for (unsigned index = 1; index < grains.size(); ++index) {
    if (!keep[index])
      continue;
    moved[index] = kept.size();
    if (wholeWarps.contains(index))
      keptWholeWarps.insert(kept.size());
    if (uint64_t bytes = lentBytes.lookup(index))
      keptLent[kept.size()] = bytes;
    kept.push_back(grains[index]);
  }
  grains = std::move(kept);
  wholeWarps = std::move(keptWholeWarps);
  lentBytes = std::move(keptLent);
  chosen = moved[chosen];
  for (unsigned &choice : nextChoices)
    choice = moved[choice];
  for (ClassChoice &choice : classChoices)
    choice.grain = moved[choice.grain];
  return moved;
}

const OfferedVariant *regrain::findVariant(llvm::ArrayRef<OfferedVariant> variants,
                                           const Grain &grain) {
  auto found =
      llvm::find_if(variants, [&](const OfferedVariant &one) { return one.name == grain.variant; });
  return found == variants.end() ? nullptr : &*found;
}

std::string regrain::describeOffer(llvm::ArrayRef<OfferedVariant> variants) {
  if (variants.empty())
    return "the source offers no variants of the kernel";
  auto names = llvm::map_range(variants, [](const OfferedVariant &one) { return one.name; });
  return "the source offers the kernel only as " + llvm::join(names, ", ");
}

namespace {

/// A --coarsen whose SPEC has been parsed.
struct ParsedRequest {
  const GrainRequest *request;
  GrainSpec spec;
  bool matched = false;
};

llvm::Expected<std::vector<ParsedRequest>> parseRequests(const ImageOptions &options) {
  std::vector<ParsedRequest> parsed;
  for (const GrainRequest &request : options.coarsen) {
    OrError<GrainSpec> spec = parseGrainSpec(request.spec);
    if (!spec)
      return llvm::createStringError("--coarsen=" + request.glob + ":" + request.spec + ": " +
                                     spec.error());
    parsed.push_back({&request, *spec});
  }
  return parsed;
}

/// Spreads totals over the dimensions that the code reads; over x if it reads none.
Grain resolve(const GrainSpec &spec, CoordinateUse use) {
  auto orX = [](std::array<bool, 3> &read) { read[0] |= !read[1] && !read[2]; };
  orX(use.block);
  orX(use.thread);
  return balance(spec, use.block, use.thread);
}

/// Adds what others have made of the kernel, if grains are to be measured: the variants that the
/// source offers, and the code of the vendor's compiler.
void addForeign(const ImageOptions &options, KernelPlan &plan) {
  bool measures = options.alternatives || options.allAlternatives;
  if (!measures || plan.chosen != 0)
    return;
  for (const OfferedVariant &offered : plan.variants)
    plan.add({.variant = offered.name});
  if (!options.vendor.nvcc.empty())
    plan.add({.words = {{"compiler", "nvcc"}}});
}

/// Returns the variants that the source offers for a kernel.
std::vector<OfferedVariant> variantsOf(const DeviceCode &code, const DeviceKernel &kernel) {
  std::vector<OfferedVariant> variants;
  for (const OfferedVariant &offered : code.variants)
    if (offered.original == kernel.symbol)
      variants.push_back(offered);
  return variants;
}

/// Plans one kernel that was raised.
KernelPlan planKernel(const DeviceKernel &kernel, grain::KernelOp op,
                      std::vector<OfferedVariant> variants, std::vector<ParsedRequest> &requests,
                      const KernelChoices *choices, const ImageOptions &options) {
  KernelPlan plan;
  plan.variants = std::move(variants);
  CoordinateUse use = coordinateUse(op);
  plan.launches = launchesOf(kernel, options.launches);
  plan.footprint = {commonBlock(plan.launches).value_or(Factors{0, 0, 0}), footprintsOf(op),
                    arithmeticOf(op), tripsOf(op)};
  for (ParsedRequest &request : requests) {
    if (!matchesKernel(request.request->glob, kernel.name))
      continue;
    request.matched = true;
    plan.choose(plan.add(resolve(request.spec, use)));
  }
  if (choices)
    applyChoices(*choices, plan);
  plan.requested = plan.grains.size();
  if (choices)
    return plan;
  constexpr size_t unlimited = std::numeric_limits<size_t>::max();
  plan.budget = options.allAlternatives ? unlimited : options.alternatives;
  if (plan.budget) {
    Statistics statistics = gatherStatistics(kernel, op, options);
    plan.space = enumerateGrains(statistics);
    if (options.specialise)
      plan.space = addForSeen(plan.launches, std::move(plan.space));
    plan.statistics = describe(statistics);
  }
  llvm::erase_if(plan.space,
                 [&](const Grain &grain) { return llvm::is_contained(plan.grains, grain); });
  // If a grain is chosen, nothing is measured, so no control is needed.
  if (!plan.space.empty() && plan.chosen == 0)
    plan.add({.control = true});
  addForeign(options, plan);
  return plan;
}

/// Returns the first grains of the spaces of a kernel's variants, `most` in all, in turns.
std::vector<Grain> grainsOfVariants(const DeviceCode &code, const ImportedModule &imported,
                                    const ImageOptions &options, const KernelPlan &plan,
                                    size_t most) {
  std::vector<std::vector<Grain>> spaces;
  for (const OfferedVariant &offered : plan.variants) {
    auto op = imported.module().lookupSymbol<grain::KernelOp>(offered.variant);
    for (const auto *kernels : {&code.kernels, &code.offeredKernels})
      for (const DeviceKernel &kernel : *kernels)
        if (op && kernel.symbol == offered.variant)
          spaces.push_back(enumerateGrains(gatherStatistics(kernel, op, options)));
    if (op)
      for (Grain &grain : spaces.back())
        grain.variant = offered.name;
  }
  std::vector<Grain> grains;
  bool isLeft = true;
  for (size_t rank = 0; std::exchange(isLeft, false); ++rank)
    for (const std::vector<Grain> &space : spaces)
      if (rank < space.size() && grains.size() < most) {
        grains.push_back(space[rank]);
        isLeft = true;
      }
  return grains;
}

/// Adds grains of variants to the space: a quarter of the number that is asked for, beside it, each
/// behind four of the original.
void addGrainsOfVariants(const DeviceCode &code, const ImportedModule &imported,
                         const ImageOptions &options, KernelPlan &plan) {
  constexpr size_t interval = 4, mostOfAll = 32;
  if (plan.space.empty() || plan.chosen != 0)
    return;
  size_t most = options.allAlternatives ? mostOfAll : options.alternatives / interval;
  std::vector<Grain> added = grainsOfVariants(code, imported, options, plan, most);
  size_t position = interval;
  for (const Grain &grain : added) {
    position = std::min(position, plan.space.size());
    plan.space.insert(plan.space.begin() + ptrdiff_t(position), grain);
    position += interval + 1;
  }
  if (!options.allAlternatives)
    plan.budget += added.size();
}

/// Records the refused grains of a kernel that was not raised.
void refuseAll(const DeviceKernel &kernel, const ImportedModule &imported,
               std::vector<ParsedRequest> &requests, const KernelChoices *choices,
               const ImageOptions &options, Plan &plan) {
  auto refuse = [&](std::string id, bool asked) {
    OrError<GrainSpec> spec = parseGrainSpec(id);
    if (spec && isForeign(spec->grain))
      return;
    plan.refused.push_back(refuseUnraised(kernel, imported, std::move(id)));
    plan.refused.back().asked = asked;
  };
  for (ParsedRequest &request : requests)
    if (matchesKernel(request.request->glob, kernel.name)) {
      request.matched = true;
      refuse(request.request->spec, /*asked=*/true);
    }
  if (choices)
    for (const std::string &id : choices->alternatives)
      refuse(id, /*asked=*/true);
  else if (options.alternatives || options.allAlternatives)
    refuse("alternatives", /*asked=*/false);
}

/// Plans a kernel that was not raised: it may have variants and the vendor's code all the same.
KernelPlan planUnraised(const DeviceKernel &kernel, std::vector<OfferedVariant> variants,
                        llvm::ArrayRef<ParsedRequest> requests, const KernelChoices *choices,
                        const ImageOptions &options) {
  KernelPlan plan;
  plan.variants = std::move(variants);
  for (const ParsedRequest &request : requests)
    if (isForeign(request.spec.grain) && matchesKernel(request.request->glob, kernel.name))
      plan.choose(plan.add(request.spec.grain));
  if (choices)
    applyForeignChoices(*choices, plan);
  plan.requested = plan.grains.size();
  if (!choices)
    addForeign(options, plan);
  return plan;
}

/// Fails if a request names a variant that the source offers for no kernel that matches. A pattern
/// may match other kernels as well: these keep their originals.
llvm::Error checkVariants(llvm::ArrayRef<ParsedRequest> requests, const DeviceCode &code) {
  for (const ParsedRequest &request : requests) {
    if (!request.matched || request.spec.grain.variant.empty())
      continue;
    std::vector<OfferedVariant> offered;
    for (const DeviceKernel &kernel : code.kernels)
      if (matchesKernel(request.request->glob, kernel.name))
        for (OfferedVariant &one : variantsOf(code, kernel))
          offered.push_back(std::move(one));
    if (findVariant(offered, request.spec.grain))
      continue;
    return llvm::createStringError(
        "--coarsen=" + request.request->glob + ":" + request.request->spec + ": " +
        describeOffer(offered) +
        (offered.empty() ? "; REGRAIN_VARIANTS of <regrain/variants.h> offers them" : ""));
  }
  return llvm::Error::success();
}

/// Returns the choices that hold for a kernel whose content has `hash`, unless --coarsen names it.
const KernelChoices *findChoices(const DeviceKernel &kernel, llvm::StringRef hash,
                                 llvm::ArrayRef<ParsedRequest> requests,
                                 const ImageOptions &options, std::vector<std::string> &warnings) {
  bool isNamed = llvm::any_of(requests, [&](const ParsedRequest &request) {
    return matchesKernel(request.request->glob, kernel.name);
  });
  if (!isNamed)
    return choicesFor(options, kernel, hash, warnings);
  if (hasChoices(options, kernel))
    warnings.push_back("--coarsen names kernel '" + kernel.name + "': its choices in " +
                       options.choicesFile + " are not used");
  return nullptr;
}

} // namespace

RefusedGrain regrain::refuseGrain(const DeviceKernel &kernel, std::string id, std::string stage,
                                  Refusal refusal) {
  if (!refusal.where.isKnown())
    refusal.where = {kernel.file, kernel.line};
  return {kernel.name, kernel.symbol, std::move(id), std::move(stage), std::move(refusal)};
}

Objection regrain::objectionOf(const RefusedGrain &refused) {
  return {refused.stage, refused.refusal.reason};
}

RefusedGrain regrain::refuseUnraised(const DeviceKernel &kernel, const ImportedModule &imported,
                                     std::string id) {
  auto found = imported.notRaised().find(kernel.symbol);
  Refusal refusal = found == imported.notRaised().end()
                        ? Refusal{RefusalKind::MalformedImport,
                                  "the compiler could not translate the kernel to grain IR"}
                        : found->second;
  return refuseGrain(kernel, std::move(id), "import", std::move(refusal));
}

llvm::Expected<Plan> regrain::planAlternatives(const DeviceCode &code,
                                               llvm::ArrayRef<KernelFacts> facts,
                                               const ImportedModule &imported,
                                               const ImageOptions &options) {
  llvm::Expected<std::vector<ParsedRequest>> requests = parseRequests(options);
  if (!requests)
    return requests.takeError();
  Plan plan;
  for (auto [kernel, known] : llvm::zip_equal(code.kernels, facts)) {
    const KernelChoices *choices =
        findChoices(kernel, known.hash, *requests, options, plan.warnings);
    if (auto op = imported.module().lookupSymbol<grain::KernelOp>(kernel.symbol)) {
      plan.kernels.push_back(
          planKernel(kernel, op, variantsOf(code, kernel), *requests, choices, options));
      addGrainsOfVariants(code, imported, options, plan.kernels.back());
      continue;
    }
    refuseAll(kernel, imported, *requests, choices, options, plan);
    plan.kernels.push_back(
        planUnraised(kernel, variantsOf(code, kernel), *requests, choices, options));
  }
  for (const ParsedRequest &request : *requests)
    if (!request.matched && !code.kernels.empty())
      plan.warnings.push_back("--coarsen=" + request.request->glob + ":" + request.request->spec +
                              " matches no kernel of this file");
  if (llvm::Error error = checkVariants(*requests, code))
    return std::move(error);
  return plan;
}
