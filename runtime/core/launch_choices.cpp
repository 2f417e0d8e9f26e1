//===- launch_choices.cpp - Candidate grains of a kernel ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This determines the grains that were requested, chosen at compile time or
// tuned, and loads their code.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/error_text.h"
#include "runtime/core/launch_plan.h"
#include "runtime/core/registry.h"
#include "runtime/core/settings.h"
#include "runtime/image/image_rule.h"
#include "runtime/image/in_step.h"
#include "runtime/image/max_resident.h"

#include <mutex>

namespace regrain {

LaunchPlan::Code::Code(const LoadedFunction &loaded, const cudaFuncAttributes &attributes)
    : function(*loaded.function), singleDimensions(loaded.singleDimensions),
      maxThreads(attributes.maxThreadsPerBlock), staticSharedBytes(attributes.sharedSizeBytes),
      dynamicSharedLimit(attributes.maxDynamicSharedSizeBytes), waits(waitsForOthers(attributes)) {}

LaunchPlan::Alternative::Alternative(const image::Alternative &entry, std::string ownId)
    : id(std::move(ownId)), grain(parseGrainSpec(id).value_or(GrainSpec()).grain),
      wholeWarps(entry.whole_warps()), takesGrid(entry.takes_grid()),
      takesBlock(entry.takes_block()),
      lentBytes(takesLentAddress(grain) ? entry.scratch_bytes() : 0),
      isInStep(inStepOf(grain) != 0), maxResident(maxResidentOf(grain)) {
  if (LaunchRule rule = ruleOf(entry); !rule.empty())
    variant = std::make_unique<VariantLaunches>(std::move(rule));
}

cudaError_t LaunchPlan::readCode(const LoadedFunction &loaded, const image::Alternative &entry,
                                 size_t sizes, std::shared_ptr<Code> &out) const {
  cudaFuncAttributes attributes = {};
  if (cudaError_t status = loaded.function->attributes(attributes); status != cudaSuccess)
    return status;
  out = std::make_shared<Code>(loaded, attributes);
  out->parameters = parameters;
  if (entry.scratch_bytes() != 0)
    out->parameters.push_back({entry.scratch_offset(), sizeof(uint64_t)});
  for (uint32_t i = 0; i < sizes; ++i)
    out->parameters.push_back(
        {uint32_t(entry.parameters_offset() + i * sizeof(uint32_t)), sizeof(uint32_t)});
  return cudaSuccess;
}

/// Gives the code of another form of the same alternative, which is loaded if it is not yet.
cudaError_t LaunchPlan::shareCode(uint32_t kernelIndex, uint32_t base, LoadedImage &loaded,
                                  Alternative &to) {
  if (base != 0) {
    Alternative *alternative = addAlternative(kernelIndex, {base}, loaded);
    if (!alternative)
      return cudaErrorNoKernelImageForDevice;
    to.whole = alternative->whole;
    to.remainder = alternative->remainder;
    return cudaSuccess;
  }
  cudaError_t status = cudaSuccess;
  if (!originalCode) {
    LoadedFunction function;
    status = loaded.function(kernelIndex, 0, function);
    if (status == cudaSuccess)
      status = readCode(function, *kernel.alternatives()->Get(0), 0, originalCode);
    if (status == cudaSuccess)
      originalCode->isOriginals = true;
  }
  to.whole = originalCode;
  return status;
}

cudaError_t LaunchPlan::loadAlternative(uint32_t kernelIndex, const AlternativeForm &form,
                                        LoadedImage &loaded, std::unique_ptr<Alternative> &out) {
  uint32_t index = form.index;
  const image::Alternative &entry = *kernel.alternatives()->Get(index);
  out = std::make_unique<Alternative>(entry, idOf(kernel, form));
  // An image says of such a grain that it is there, and has no code for it.
  if (out->maxResident) {
    GrainSpec base;
    base.grain = withAnyResidents(out->grain);
    std::optional<AlternativeForm> code = findForm(kernel, base);
    return code ? shareCode(kernelIndex, code->index, loaded, *out)
                : cudaErrorNoKernelImageForDevice;
  }
  if (out->grain.known.disjoint && !verdicts)
    verdicts = std::make_unique<PointerVerdicts>(pointerParameters.size());
  size_t sizes = (entry.takes_grid() + entry.takes_block()) * extentParameters;
  LoadedFunction function;
  cudaError_t status = loaded.function(kernelIndex, index, function);
  if (status == cudaSuccess)
    status = readCode(function, entry, sizes, out->whole);
  if (status == cudaSuccess && out->grain.remainder) {
    status = loaded.remainderFunction(kernelIndex, index, function);
    if (status == cudaSuccess)
      status = readCode(function, entry, sizes + extentParameters, out->remainder);
  }
  return status;
}

/// Returns null if the alternative cannot be loaded, which is reported when it was asked for, or
/// verbose.
LaunchPlan::Alternative *
LaunchPlan::addAlternative(uint32_t kernelIndex, const AlternativeForm &form, LoadedImage &loaded) {
  std::string id = idOf(kernel, form);
  for (auto &known : alternatives)
    if (known->id == id)
      return known.get();
  std::unique_ptr<Alternative> alternative;
  cudaError_t status = loadAlternative(kernelIndex, form, loaded, alternative);
  if (status != cudaSuccess) {
    bool isAsked = isAskedFor(kernel, Settings::get().requests);
    (isAsked ? say : sayVerbose)(kernel.name()->str() + ": " + id + " cannot be loaded on " +
                                 device.properties.name + ": " + numberAndName(status));
    return nullptr;
  }
  alternatives.push_back(std::move(alternative));
  return alternatives.back().get();
}

/// Libraries are loaded while the program runs, so that a kernel may still come.
void LaunchPlan::sayUnmatched() {
  for (const AlternativeRequest &request : Settings::get().requests)
    if (Registry::get().offerOf(request) == Offer::NoKernel)
      say("REGRAIN_ALTERNATIVE: no kernel of the program matches '" + request.glob + "' so far");
}

/// Ends the process if a request names the kernel, and a grain that no kernel of the program has.
void LaunchPlan::requireAsked() const {
  for (const AlternativeRequest &request : Settings::get().requests) {
    if (!matchesKernel(request.glob, kernel.name()->string_view()))
      continue;
    if (maxResidentOf(request.spec.grain) && !device.device->sharedMemoryUnits())
      refuse("REGRAIN_ALTERNATIVE: '" + request.spelled + "' limits how many blocks share a " +
             "multiprocessor's memory, which is not known of " + device.properties.name);
    std::string why = whyAbsent(program, kernel, request);
    if (!why.empty() && Registry::get().offerOf(request) != Offer::Grain)
      refuse("REGRAIN_ALTERNATIVE: no kernel that matches '" + request.glob + "' has the grain '" +
             request.spelled + "'; " + kernel.name()->str() + ": " + why);
  }
}

void LaunchPlan::chooseAsked(uint32_t index, LoadedImage &loaded) {
  static std::once_flag saidOnce;
  std::call_once(saidOnce, sayUnmatched);
  requireAsked();
  std::string order;
  for (const AlternativeChoice &choice :
       chooseAlternatives(program, kernel, Settings::get().requests)) {
    if (!choice.form.isOriginal()) {
      Alternative *alternative = addAlternative(index, choice.form, loaded);
      if (!alternative)
        continue;
      asked.push_back(alternative);
    }
    order += (order.empty() ? "" : ", else ") + idOf(kernel, choice.form);
    if (!choice.reason.empty())
      order += " (" + choice.reason + ")";
  }
  sayVerbose(kernel.name()->str() + ": " + order);
}

void LaunchPlan::choose(uint32_t index, LoadedImage &loaded) {
  chooseAsked(index, loaded);
  bool isAsked = isAskedFor(kernel, Settings::get().requests);
  Tuning *library = findTuning();
  if (!isAsked)
    chooseForClasses(index, loaded, library);
  if (library && library->isMeasuring())
    prepareTuning(index, loaded, isAsked, *library);
}

/// Loads all alternatives, unless a request already determines which one runs.
void LaunchPlan::prepareTuning(uint32_t index, LoadedImage &loaded, bool isAsked, Tuning &library) {
  bool isChosen = !asked.empty() || !classChoices.empty();
  if (isAsked || isChosen) {
    library.decline(*this, isAsked ? "REGRAIN_ALTERNATIVE asks for a grain"
                                   : "its grain was chosen when it was compiled");
    return;
  }
  if (!kernel.hash() || kernel.alternatives()->size() == 1) {
    library.decline(
        *this, "it was compiled without alternatives; 'regrain cc --alternatives=N' makes them");
    return;
  }
  tuning = &library;
  for (uint32_t i = 1; i < kernel.alternatives()->size(); ++i)
    addAlternative(index, {i}, loaded);
  addResidentSteps(index, loaded);
}

} // namespace regrain
