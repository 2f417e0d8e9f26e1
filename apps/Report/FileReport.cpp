//===- FileReport.cpp - Contents of the images in a file ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Report/FileReport.h"
#include "runtime/image/max_resident.h"

#include <algorithm>

namespace regrain::report {

const char *kindName(image::CodeKind kind) {
  switch (kind) {
  case image::CodeKind::CpuSharedObject:
    return "cpu";
  case image::CodeKind::Ptx:
    return "ptx";
  case image::CodeKind::Cubin:
    return "cubin";
  case image::CodeKind::Hsaco:
    return "hsaco";
  }
  return "unknown";
}

namespace {

std::string text(const flatbuffers::String *string) { return string ? string->str() : ""; }

/// Calls `visit` for each element of a table's vector, which may be absent.
template <typename Vector, typename Visit> void forEach(const Vector *vector, Visit visit) {
  if (!vector)
    return;
  for (const auto *element : *vector)
    visit(*element);
}

Resources resourcesOf(const image::Entry &entry) {
  Resources to;
  if (const image::Resources *from = entry.resources()) {
    to.registers = from->registers();
    to.spillStoreBytes = from->spill_store_bytes();
    to.spillLoadBytes = from->spill_load_bytes();
    to.stackBytes = from->stack_bytes();
    to.staticSharedBytes = from->static_shared_bytes();
    to.codeBytes = from->code_bytes();
    to.occupancyPercent = from->occupancy_percent();
    to.occupancyThreads = from->occupancy_threads();
  }
  if (const image::WaveResources *from = entry.wave()) {
    to.scalarRegisters = from->scalar_registers();
    to.accumulationRegisters = from->accumulation_registers();
    to.scalarSpills = from->scalar_spills();
    to.vectorSpills = from->vector_spills();
    to.waves = from->waves();
  }
  return to;
}

std::vector<TargetName> targetsOf(const image::Image &image) {
  std::vector<TargetName> targets;
  forEach(image.modules(), [&](const image::Module &module) {
    TargetName name = {module.kind(), text(module.arch())};
    if (std::find(targets.begin(), targets.end(), name) == targets.end())
      targets.push_back(name);
  });
  return targets;
}

/// The first module for the target decides: all of them have the same
/// generation.
std::string generationOf(const image::Image &image, const TargetName &target) {
  std::string generation;
  forEach(image.modules(), [&](const image::Module &module) {
    if (generation.empty() && target == TargetName{module.kind(), text(module.arch())})
      generation = text(module.generation());
  });
  return generation;
}

/// Returns the code that `alternative` has for the target, and `grain` runs there.
CodeReport codeOf(const image::Image &image, const TargetName &target, uint32_t kernel,
                  const Grain &grain, uint32_t alternative) {
  CodeReport code = {target, "", {}};
  bool isRefused = target.kind == image::CodeKind::CpuSharedObject ||
                   image.kernels()->Get(kernel)->reads_shared_size();
  if (maxResidentOf(grain) && isRefused)
    return code;
  forEach(image.modules(), [&](const image::Module &module) {
    if (target != TargetName{module.kind(), text(module.arch())})
      return;
    forEach(module.entries(), [&](const image::Entry &entry) {
      if (entry.kernel() != kernel || entry.alternative() != alternative || entry.remainder())
        return;
      code.symbol = text(entry.symbol());
      code.resources = resourcesOf(entry);
    });
  });
  return code;
}

const char *outcomeName(image::CandidateOutcome outcome) {
  switch (outcome) {
  case image::CandidateOutcome::Kept:
    return "kept";
  case image::CandidateOutcome::Refused:
    return "refused";
  case image::CandidateOutcome::Pruned:
    return "pruned";
  case image::CandidateOutcome::TimedOut:
    return "timed-out";
  }
  return "unknown";
}

/// Reads the verdict on a candidate or its code for one target.
template <typename Table> VerdictReport verdictOf(const Table &table) {
  return {outcomeName(table.outcome()), text(table.stage()), text(table.reason()), table.seconds()};
}

CandidateReport candidateOf(const image::Candidate &candidate) {
  CandidateReport report = {text(candidate.id()), verdictOf(candidate), {}};
  forEach(candidate.code(), [&](const image::CandidateCode &code) {
    report.code.push_back({text(code.target()), verdictOf(code), code.bytes()});
  });
  return report;
}

MemoryUse memoryOf(const image::Kernel &kernel) {
  MemoryUse memory = {{},
                      StoredTypes(kernel.stored_in_variables()),
                      StoredTypes(kernel.stored_elsewhere()),
                      kernel.stays_in_arguments(),
                      kernel.blocks_work_alone()};
  forEach(kernel.parameters(), [&](const image::Parameter &parameter) {
    memory.parameters.push_back(StoredTypes(parameter.stored()));
  });
  return memory;
}

/// Returns the numbers of a table's vector, which may be absent.
template <typename Number>
std::vector<Number> numbersOf(const flatbuffers::Vector<Number> *vector) {
  return vector ? std::vector<Number>(vector->begin(), vector->end()) : std::vector<Number>();
}

template <typename Vector> std::vector<FootprintLoop> loopsOf(const Vector *loops) {
  std::vector<FootprintLoop> made;
  forEach(loops, [&](const image::FootprintLoop &loop) {
    made.push_back({loop.number(), loop.trips(), loop.varies()});
  });
  return made;
}

AccessFootprint accessOf(const image::FootprintAccess &access) {
  AccessFootprint made;
  made.memory = text(access.memory());
  made.reads = access.reads();
  made.writes = access.writes();
  made.bytes = access.bytes();
  made.file = text(access.file());
  made.line = access.line();
  made.isConditional = access.conditional();
  made.unknown = text(access.unknown());
  made.loops = loopsOf(access.loops());
  forEach(access.axes(), [&](const image::FootprintAxis &axis) {
    FootprintAxis &part = made.axes.emplace_back();
    part.unit = axis.unit();
    part.offset = axis.offset();
    part.sizes = numbersOf(axis.sizes());
    part.loops = numbersOf(axis.loops());
    part.loops.resize(made.loops.size());
    std::vector<int64_t> threads = numbersOf(axis.threads());
    std::copy_n(threads.begin(), std::min(threads.size(), part.threads.size()),
                part.threads.begin());
  });
  return made;
}

TripTerm termOf(const image::FootprintTerm &term) {
  return {term.factor(), numbersOf(term.sizes()), numbersOf(term.parameters())};
}

FootprintTrips tripsOf(const image::FootprintTrips &trips) {
  FootprintTrips made;
  made.loop = trips.loop();
  forEach(trips.range(),
          [&](const image::FootprintTerm &term) { made.range.push_back(termOf(term)); });
  if (trips.step())
    made.step = termOf(*trips.step());
  return made;
}

std::optional<Footprint> footprintOf(const image::Kernel &kernel) {
  if (!kernel.footprint())
    return std::nullopt;
  Footprint made;
  if (const image::Dim3 *block = kernel.footprint()->block())
    made.block = {block->x(), block->y(), block->z()};
  forEach(kernel.footprint()->accesses(),
          [&](const image::FootprintAccess &access) { made.accesses.push_back(accessOf(access)); });
  if (kernel.footprint()->arithmetic())
    made.arithmetic.emplace();
  forEach(kernel.footprint()->arithmetic(), [&](const image::FootprintArithmetic &each) {
    made.arithmetic->push_back({each.bits(), each.operations(), text(each.function()),
                                each.conditional(), loopsOf(each.loops())});
  });
  forEach(kernel.footprint()->trips(),
          [&](const image::FootprintTrips &each) { made.trips.push_back(tripsOf(each)); });
  return made;
}

std::vector<AlternativeReport>
alternativesOf(const image::Image &image, const std::vector<TargetName> &targets, uint32_t index) {
  std::vector<AlternativeReport> alternatives;
  forEach(image.kernels()->Get(index)->alternatives(), [&](const image::Alternative &alternative) {
    // An opened image has only canonical ids.
    OrError<GrainSpec> spec = parseGrainSpec(text(alternative.id()));
    AlternativeReport made = {
        text(alternative.id()), spec ? spec->grain : Grain(), alternative.within_ulps(), {}};
    size_t code = alternatives.size();
    if (maxResidentOf(made.grain))
      code =
          std::ranges::find(alternatives, withAnyResidents(made.grain), &AlternativeReport::grain) -
          alternatives.begin();
    for (const TargetName &target : targets)
      made.code.push_back(codeOf(image, target, index, made.grain, static_cast<uint32_t>(code)));
    alternatives.push_back(std::move(made));
  });
  return alternatives;
}

KernelReport kernelOf(const image::Image &image, const std::vector<TargetName> &targets,
                      uint32_t index) {
  const image::Kernel &kernel = *image.kernels()->Get(index);
  KernelReport report = {text(kernel.symbol()),
                         text(kernel.name()),
                         text(kernel.file()),
                         kernel.line(),
                         {},
                         {},
                         kernel.max_threads(),
                         kernel.uses_dynamic_shared(),
                         text(kernel.hash()),
                         text(kernel.not_replayable()),
                         memoryOf(kernel),
                         "",
                         {},
                         {},
                         {}};
  forEach(kernel.parameters(), [&](const image::Parameter &parameter) {
    report.parameters.push_back({parameter.offset(), parameter.size()});
  });
  forEach(kernel.integers(), [&](const image::IntegerArgument &integer) {
    report.integers.push_back({integer.parameter(), integer.offset(), integer.size()});
  });
  report.alternatives = alternativesOf(image, targets, index);
  forEach(image.candidates(), [&](const image::Candidate &candidate) {
    if (candidate.kernel() == index)
      report.candidates.push_back(candidateOf(candidate));
  });
  auto idOf = [&](uint32_t alternative) {
    return alternative < report.alternatives.size() ? report.alternatives[alternative].id : "";
  };
  report.chosen = idOf(kernel.chosen());
  report.footprint = footprintOf(kernel);
  forEach(kernel.class_choices(), [&](const image::ClassChoice &choice) {
    report.classChoices.push_back({text(choice.launch_class()), idOf(choice.alternative()),
                                   text(choice.generation()), text(choice.device()),
                                   choice.multiprocessors()});
  });
  return report;
}

const char *variableKind(image::VariableKind kind) {
  switch (kind) {
  case image::VariableKind::Device:
    return "device";
  case image::VariableKind::Constant:
    return "constant";
  case image::VariableKind::Managed:
    return "managed";
  }
  return "unknown";
}

ImageReport imageOf(const std::string &member, const image::Image &image) {
  ImageReport report = {
      member, text(image.source()), text(image.producer()), targetsOf(image), {}, {}, {}, {}};
  for (const TargetName &target : report.targets)
    report.generations.push_back(generationOf(image, target));
  for (uint32_t index = 0; image.kernels() && index < image.kernels()->size(); ++index)
    report.kernels.push_back(kernelOf(image, report.targets, index));
  forEach(image.variables(), [&](const image::Variable &variable) {
    report.variables.push_back({text(variable.symbol()), variableKind(variable.kind()),
                                variable.size(), variable.align()});
  });
  forEach(image.refusals(), [&](const image::Refusal &refusal) {
    report.refusals.push_back(
        {text(refusal.kernel()), text(refusal.id()), text(refusal.stage()),
         SourcePosition{text(refusal.file()), refusal.line(), refusal.column()},
         text(refusal.kind()), text(refusal.reason()), text(refusal.remedy())});
  });
  return report;
}

} // namespace

bool keepKernels(FileReport &report, const std::string &glob) {
  bool hasAny = false;
  for (ImageReport &image : report.images) {
    std::erase_if(image.refusals, [&](const RefusalReport &refusal) {
      auto kernel = std::ranges::find(image.kernels, refusal.kernel, &KernelReport::symbol);
      return kernel == image.kernels.end() || !matchesKernel(glob, kernel->name);
    });
    std::erase_if(image.kernels,
                  [&](const KernelReport &kernel) { return !matchesKernel(glob, kernel.name); });
    hasAny |= !image.kernels.empty();
  }
  return hasAny;
}

FileReport makeReport(const std::string &file, const std::vector<EmbeddedImage> &images) {
  FileReport report = {file, {}, {}};
  for (const EmbeddedImage &image : images) {
    if (image.opened.status == ImageStatus::Ok)
      report.images.push_back(imageOf(image.member, *image.opened.image));
    else
      report.damaged.push_back({image.member, image.opened.message});
  }
  return report;
}

} // namespace regrain::report
