//===- PackImage.cpp - Compiled modules to image bytes --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Packing/PackImage.h"

#include "generated/producer.h"
#include "runtime/image/container.h"
#include "runtime/image/in_step.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace regrain;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

namespace {

template <typename T> using Offsets = std::vector<Offset<T>>;

image::Dim3 toDim3(const Factors &factors) { return {factors[0], factors[1], factors[2]}; }

/// Returns the offset at which the kernel's own parameters end.
uint32_t ownBytes(const DeviceKernel &kernel) {
  if (kernel.parameters.empty())
    return 0;
  const DeviceKernel::Parameter &last = kernel.parameters.back();
  return last.offset + last.size;
}

Offset<image::Alternative> packAlternative(FlatBufferBuilder &builder, const DeviceKernel &kernel,
                                           const Grain &grain, const KernelPlan &plan,
                                           unsigned index) {
  image::Dim3 block = toDim3(grain.block), thread = toDim3(grain.thread);
  uint32_t lentOffset = 0, sizesOffset = llvm::alignTo(ownBytes(kernel), 4);
  if (takesLentAddress(grain)) {
    lentOffset = llvm::alignTo(ownBytes(kernel), sizeof(uint64_t));
    sizesOffset = lentOffset + sizeof(uint64_t);
  }
  std::vector<image::RuleStep> steps;
  const OfferedVariant *offered = findVariant(plan.variants, grain);
  if (offered)
    for (const RuleStep &step : offered->rule.steps)
      steps.emplace_back(uint8_t(step.op), step.bits, step.first, step.second, step.third,
                         step.value);
  return image::CreateAlternativeDirect(
      builder, toString(grain).c_str(), &block, &thread, plan.needsWholeWarps(index),
      grain.takesGrid(), sizesOffset, grain.takesBlock(), plan.lentBytes.lookup(index), lentOffset,
      offered ? &steps : nullptr, offered ? &offered->rule.results : nullptr,
      offered ? offered->ulps : 0);
}

std::vector<image::FootprintLoop> packLoops(const std::vector<FootprintLoop> &loops) {
  std::vector<image::FootprintLoop> packed;
  for (const FootprintLoop &loop : loops)
    packed.emplace_back(loop.number, loop.trips, loop.varies);
  return packed;
}

Offset<image::FootprintAccess> packAccess(FlatBufferBuilder &builder,
                                          const AccessFootprint &access) {
  std::vector<image::FootprintLoop> loops = packLoops(access.loops);
  Offsets<image::FootprintAxis> axes;
  for (const FootprintAxis &axis : access.axes) {
    std::vector<int64_t> threads(axis.threads.begin(), axis.threads.end());
    axes.push_back(image::CreateFootprintAxisDirect(builder, axis.unit, &axis.sizes, axis.offset,
                                                    &threads, &axis.loops));
  }
  return image::CreateFootprintAccessDirect(builder, access.memory.c_str(), access.reads,
                                            access.writes, access.bytes, access.file.c_str(),
                                            access.line, access.isConditional, &loops, &axes,
                                            access.unknown.c_str());
}

Offset<image::FootprintTerm> packTerm(FlatBufferBuilder &builder, const TripTerm &term) {
  return image::CreateFootprintTermDirect(builder, term.factor, &term.sizes, &term.parameters);
}

Offset<image::FootprintTrips> packTrips(FlatBufferBuilder &builder, const FootprintTrips &trips) {
  Offsets<image::FootprintTerm> range;
  for (const TripTerm &term : trips.range)
    range.push_back(packTerm(builder, term));
  return image::CreateFootprintTripsDirect(builder, trips.loop, &range,
                                           packTerm(builder, trips.step));
}

Offset<image::Footprint> packFootprint(FlatBufferBuilder &builder, const Footprint &footprint) {
  Offsets<image::FootprintAccess> accesses;
  for (const AccessFootprint &access : footprint.accesses)
    accesses.push_back(packAccess(builder, access));
  Offsets<image::FootprintArithmetic> arithmetic;
  for (const ArithmeticFootprint &each :
       footprint.arithmetic.value_or(std::vector<ArithmeticFootprint>())) {
    std::vector<image::FootprintLoop> loops = packLoops(each.loops);
    arithmetic.push_back(image::CreateFootprintArithmeticDirect(
        builder, each.bits, each.operations, each.function.c_str(), each.isConditional, &loops));
  }
  Offsets<image::FootprintTrips> trips;
  for (const FootprintTrips &each : footprint.trips)
    trips.push_back(packTrips(builder, each));
  image::Dim3 block = toDim3(footprint.block);
  return image::CreateFootprintDirect(builder, &block, &accesses,
                                      footprint.arithmetic ? &arithmetic : nullptr, &trips);
}

Offset<image::Kernel> packKernel(FlatBufferBuilder &builder, const DeviceKernel &kernel,
                                 const KernelFacts &facts, const KernelPlan &plan) {
  Offsets<image::Parameter> parameters;
  MemoryUse memory = facts.memory;
  memory.parameters.resize(kernel.parameters.size());
  for (auto [parameter, stored] : llvm::zip_equal(kernel.parameters, memory.parameters))
    parameters.push_back(image::CreateParameter(builder, parameter.offset, parameter.size,
                                                parameter.pointer, uint8_t(stored)));
  Offsets<image::Alternative> alternatives;
  Offsets<image::ClassChoice> choices;
  for (const KernelPlan::ClassChoice &choice : plan.classChoices)
    choices.push_back(image::CreateClassChoiceDirect(
        builder, choice.launchClass.c_str(), choice.grain, choice.measuredOn.generation.c_str(),
        choice.measuredOn.device.c_str(), choice.measuredOn.multiprocessors,
        float(choice.originalMicroseconds), float(choice.chosenMicroseconds)));
  std::vector<image::IntegerArgument> integers;
  for (const DeviceKernel::Integer &integer : kernel.integers)
    integers.emplace_back(integer.parameter, integer.offset, integer.size);
  for (auto [index, grain] : llvm::enumerate(plan.grains))
    alternatives.push_back(packAlternative(builder, kernel, grain, plan, index));
  std::optional<image::Dim3> cluster;
  if (kernel.cluster)
    cluster.emplace((*kernel.cluster)[0], (*kernel.cluster)[1], (*kernel.cluster)[2]);
  Offset<image::Footprint> footprint;
  if (plan.footprint)
    footprint = packFootprint(builder, *plan.footprint);
  return image::CreateKernelDirect(
      builder, kernel.symbol.c_str(), kernel.name.c_str(), kernel.file.c_str(), kernel.line,
      &parameters, facts.maxThreads, kernel.usesDynamicShared, &alternatives, plan.chosen,
      &plan.nextChoices, facts.hash.c_str(), facts.notReplayable.value_or("").c_str(), &choices,
      uint8_t(memory.variables), uint8_t(memory.elsewhere), memory.staysInArguments, &integers,
      facts.mayAllocate, cluster ? &*cluster : nullptr, memory.blocksWorkAlone, footprint,
      facts.usesSystemScope, facts.readsSharedSize);
}

Offset<image::Entry> packEntry(FlatBufferBuilder &builder, const PackedEntry &entry) {
  const Resources &r = entry.resources;
  image::Resources resources(r.registers, r.spillStoreBytes, r.spillLoadBytes, r.stackBytes,
                             r.staticSharedBytes, r.codeBytes, r.occupancyPercent,
                             r.occupancyThreads);
  image::WaveResources wave(r.scalarRegisters, r.accumulationRegisters, r.scalarSpills,
                            r.vectorSpills, r.waves);
  return image::CreateEntryDirect(
      builder, entry.kernel, entry.alternative, entry.symbol.c_str(), &resources, entry.remainder,
      r.scalarRegisters < 0 ? nullptr : &wave, uint8_t(entry.singleDimensions), entry.maxThreads);
}

uint32_t variableIndex(const ImageContents &contents, const std::string &symbol) {
  auto found = llvm::find_if(contents.variables, [&](const DeviceVariable &variable) {
    return variable.symbol == symbol;
  });
  return found - contents.variables.begin();
}

Offset<image::Module> packModule(FlatBufferBuilder &builder, const PackedModule &module,
                                 const ImageContents &contents) {
  Offsets<image::Entry> entries;
  for (const PackedEntry &entry : module.entries)
    entries.push_back(packEntry(builder, entry));
  Offsets<image::Slot> slots;
  for (const std::string &variable : module.slots)
    slots.push_back(image::CreateSlotDirect(builder, variableIndex(contents, variable),
                                            slotNameFor(variable).c_str()));
  std::vector<uint8_t> code(module.code.begin(), module.code.end());
  return image::CreateModuleDirect(builder, module.kind, module.arch.c_str(), module.base, &code,
                                   &entries, &slots, module.generation.c_str());
}

Offset<image::Variable> packVariable(FlatBufferBuilder &builder, const DeviceVariable &variable) {
  image::VariableKind kind =
      variable.kind == DeviceVariable::Constant  ? image::VariableKind::Constant
      : variable.kind == DeviceVariable::Managed ? image::VariableKind::Managed
                                                 : image::VariableKind::Device;
  return image::CreateVariableDirect(builder, variable.symbol.c_str(), kind, variable.size,
                                     variable.align);
}

Offset<image::Refusal> packRefusal(FlatBufferBuilder &builder, const RefusedGrain &refused) {
  const Refusal &refusal = refused.refusal;
  return image::CreateRefusalDirect(
      builder, refused.symbol.c_str(), refused.id.c_str(), refused.stage.c_str(),
      refusal.where.file.c_str(), refusal.where.line, refusal.where.column, refusal.reason.c_str(),
      idOf(refusal.kind).str().c_str(), remedyFor(refusal.kind).str().c_str());
}

image::CandidateOutcome toImage(CandidateOutcome outcome) {
  switch (outcome) {
  case CandidateOutcome::Kept:
    return image::CandidateOutcome::Kept;
  case CandidateOutcome::Refused:
    return image::CandidateOutcome::Refused;
  case CandidateOutcome::Pruned:
    return image::CandidateOutcome::Pruned;
  case CandidateOutcome::TimedOut:
    return image::CandidateOutcome::TimedOut;
  }
  llvm_unreachable("every outcome is handled above");
}

Offset<image::Candidate> packCandidate(FlatBufferBuilder &builder, const Candidate &candidate,
                                       const ImageContents &contents) {
  auto seconds = [&](double value) { return contents.recordTimes ? float(value) : -1.0f; };
  // The format has empty texts where nothing speaks against a candidate.
  auto objection = [](const CandidateVerdict &verdict) {
    return verdict.objection.value_or(Objection());
  };
  Offsets<image::CandidateCode> codes;
  for (const CandidateCode &code : candidate.code) {
    auto [stage, reason] = objection(code.verdict);
    codes.push_back(image::CreateCandidateCodeDirect(
        builder, contents.targets[code.target].c_str(), toImage(code.verdict.outcome),
        stage.c_str(), reason.c_str(), code.bytes, seconds(code.seconds)));
  }
  auto [stage, reason] = objection(candidate.verdict);
  return image::CreateCandidateDirect(builder, candidate.kernel, candidate.id.c_str(),
                                      toImage(candidate.verdict.outcome), stage.c_str(),
                                      reason.c_str(), seconds(candidate.seconds), &codes);
}

} // namespace

std::vector<char> regrain::packImage(const ImageContents &contents) {
  FlatBufferBuilder builder;
  Offsets<image::Kernel> kernels;
  for (auto [kernel, facts, plan] :
       llvm::zip_equal(contents.code->kernels, contents.facts, contents.plan->kernels))
    kernels.push_back(packKernel(builder, kernel, facts, plan));
  Offsets<image::Variable> variables;
  for (const DeviceVariable &variable : contents.variables)
    variables.push_back(packVariable(builder, variable));
  Offsets<image::Module> modules;
  for (const PackedModule &module : contents.modules)
    modules.push_back(packModule(builder, module, contents));
  Offsets<image::Refusal> refusals;
  for (const RefusedGrain &refused : contents.refused)
    refusals.push_back(packRefusal(builder, refused));
  Offsets<image::Candidate> candidates;
  for (const Candidate &candidate : contents.candidates)
    candidates.push_back(packCandidate(builder, candidate, contents));
  image::FinishImageBuffer(
      builder, image::CreateImageDirect(builder, REGRAIN_PRODUCER, contents.source.c_str(),
                                        &kernels, &variables, &modules, &refusals, &candidates));
  return wrapImage({builder.GetBufferPointer(), builder.GetSize()});
}
