//===- launch_plan.cpp - How one kernel launches on one device ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch_plan.h"

#include "runtime/core/settings.h"

#include <limits>

namespace regrain {
namespace {

constexpr size_t extentParameters = 3;  // of the program's grid or block: x, y, z
constexpr size_t inlineParameters = 64; // more go to the heap

std::vector<ParameterLayout> layoutOf(const image::Kernel &kernel) {
  std::vector<ParameterLayout> layout;
  if (kernel.parameters())
    for (const image::Parameter *parameter : *kernel.parameters())
      layout.push_back({parameter->offset(), parameter->size()});
  return layout;
}

bool exceeds(const Extent &extent, const int (&limits)[3]) {
  for (int d = 0; d < 3; ++d)
    if (extent[d] == 0 || extent[d] > uint32_t(limits[d]))
      return true;
  return false;
}

bool hasBlocks(const LaunchShape &shape) {
  return shape.grid[0] != 0 && shape.grid[1] != 0 && shape.grid[2] != 0;
}

uint64_t threadsOf(const LaunchShape &shape) {
  return uint64_t(shape.block[0]) * shape.block[1] * shape.block[2];
}

/// Devices take fewer than 2^31 in x and 2^16 in y and z.
uint64_t blocksOf(const LaunchShape &shape) {
  return uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2];
}

} // namespace

cudaError_t LaunchPlan::make(const image::Image &image, uint32_t index, LoadedImage &loaded,
                             OpenDevice &device, std::unique_ptr<LaunchPlan> &out) {
  const image::Kernel &kernel = *image.kernels()->Get(index);
  std::unique_ptr<LaunchPlan> plan(new LaunchPlan(image, kernel, device));
  cudaError_t status = loaded.function(index, 0, plan->original);
  if (status == cudaSuccess)
    status = plan->readOriginal();
  if (status != cudaSuccess)
    return status;
  plan->choose(index, loaded);
  out = std::move(plan);
  return cudaSuccess;
}

cudaError_t LaunchPlan::readOriginal() {
  cudaFuncAttributes attributes = {};
  if (cudaError_t status = original->attributes(attributes); status != cudaSuccess)
    return status;
  parameters = layoutOf(kernel);
  for (uint32_t i = 0; i < parameters.size(); ++i)
    if (kernel.parameters()->Get(i)->pointer())
      pointerParameters.push_back(i);
  dynamicSharedLimit = attributes.maxDynamicSharedSizeBytes;
  return cudaSuccess;
}

LaunchPlan::Code::Code(Function &function, const cudaFuncAttributes &attributes)
    : function(function), maxThreads(attributes.maxThreadsPerBlock),
      staticSharedBytes(attributes.sharedSizeBytes),
      dynamicSharedLimit(attributes.maxDynamicSharedSizeBytes) {}

LaunchPlan::Alternative::Alternative(const image::Alternative &entry)
    : id(entry.id()->string_view()), grain(grainOf(entry)), wholeWarps(entry.whole_warps()),
      takesGrid(entry.takes_grid()), takesBlock(entry.takes_block()),
      scratchBytes(grain.takesScratch() ? entry.scratch_bytes() : 0) {}

cudaError_t LaunchPlan::readCode(Function &function, const image::Alternative &entry, size_t sizes,
                                 std::unique_ptr<Code> &out) const {
  cudaFuncAttributes attributes = {};
  if (cudaError_t status = function.attributes(attributes); status != cudaSuccess)
    return status;
  out = std::make_unique<Code>(function, attributes);
  out->parameters = parameters;
  if (entry.scratch_bytes() != 0)
    out->parameters.push_back({entry.scratch_offset(), sizeof(uint64_t)});
  for (uint32_t i = 0; i < sizes; ++i)
    out->parameters.push_back(
        {uint32_t(entry.parameters_offset() + i * sizeof(uint32_t)), sizeof(uint32_t)});
  return cudaSuccess;
}

cudaError_t LaunchPlan::loadAlternative(uint32_t kernelIndex, uint32_t index, LoadedImage &loaded,
                                        std::unique_ptr<Alternative> &out) {
  const image::Alternative &entry = *kernel.alternatives()->Get(index);
  out = std::make_unique<Alternative>(entry);
  size_t sizes = (entry.takes_grid() + entry.takes_block()) * extentParameters;
  Function *function = nullptr;
  cudaError_t status = loaded.function(kernelIndex, index, function);
  if (status == cudaSuccess)
    status = readCode(*function, entry, sizes, out->whole);
  if (status == cudaSuccess && out->grain.remainder) {
    status = loaded.remainderFunction(kernelIndex, index, function);
    if (status == cudaSuccess)
      status = readCode(*function, entry, sizes + extentParameters, out->remainder);
  }
  return status;
}

/// Null, said when verbose, where the alternative cannot be loaded.
LaunchPlan::Alternative *LaunchPlan::addAlternative(uint32_t kernelIndex, uint32_t index,
                                                    LoadedImage &loaded) {
  std::string_view id = kernel.alternatives()->Get(index)->id()->string_view();
  for (auto &known : alternatives)
    if (known->id == id)
      return known.get();
  std::unique_ptr<Alternative> alternative;
  cudaError_t status = loadAlternative(kernelIndex, index, loaded, alternative);
  if (status != cudaSuccess) {
    sayVerbose(kernel.name()->str() + ": " + std::string(id) + " cannot be loaded on " +
               device.properties.name + " (error " + std::to_string(status) + ")");
    return nullptr;
  }
  alternatives.push_back(std::move(alternative));
  return alternatives.back().get();
}

void LaunchPlan::chooseAsked(uint32_t index, LoadedImage &loaded) {
  std::string order;
  for (const AlternativeChoice &choice :
       chooseAlternatives(program, kernel, Settings::get().requests)) {
    if (choice.index != 0) {
      Alternative *alternative = addAlternative(index, choice.index, loaded);
      if (!alternative)
        continue;
      asked.push_back(alternative);
    }
    order +=
        (order.empty() ? "" : ", else ") + kernel.alternatives()->Get(choice.index)->id()->str();
    if (!choice.reason.empty())
      order += " (" + choice.reason + ")";
  }
  sayVerbose(kernel.name()->str() + ": " + order);
}

void LaunchPlan::addClassChoice(std::string_view from, const LaunchClass &launchClass,
                                uint32_t alternative, uint32_t index, LoadedImage &loaded) {
  std::string id = kernel.alternatives()->Get(alternative)->id()->str();
  Alternative *chosen = alternative == 0 ? nullptr : addAlternative(index, alternative, loaded);
  if (alternative != 0 && !chosen)
    return;
  classChoices.push_back(
      {launchClass, residentBlocks(launchClass.block, launchClass.dynamicSharedBytes), chosen});
  sayVerbose(kernel.name()->str() + ": " + id + " for " + toString(launchClass) + " (" +
             std::string(from) + ")");
}

/// What the image says for classes goes before what the database says.
void LaunchPlan::chooseForClasses(uint32_t index, LoadedImage &loaded, Tuning *library) {
  if (kernel.class_choices() && kernel.class_choices()->size() != 0) {
    for (const image::ClassChoice *choice : *kernel.class_choices())
      if (auto known = parseLaunchClass(choice->launch_class()->string_view());
          known && choice->alternative() < kernel.alternatives()->size())
        addClassChoice("chosen when compiled", *known, choice->alternative(), index, loaded);
    return;
  }
  if (!asked.empty() || !library)
    return;
  for (const TunedChoice &choice : library->choices(*this))
    for (uint32_t i = 0; i < kernel.alternatives()->size(); ++i)
      if (kernel.alternatives()->Get(i)->id()->string_view() == choice.alternative)
        addClassChoice("tuned", choice.launchClass, i, index, loaded);
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

/// Loads all alternatives, unless it is said already which one shall run.
void LaunchPlan::prepareTuning(uint32_t index, LoadedImage &loaded, bool isAsked, Tuning &library) {
  bool isChosen = !asked.empty() || !classChoices.empty();
  if (isAsked || isChosen) {
    library.decline(*this, isAsked ? "REGRAIN_ALTERNATIVE asks for a grain"
                                   : "its grain was chosen when it was compiled");
    return;
  }
  if (!kernel.hash() || kernel.alternatives()->size() == 1) {
    library.decline(*this, "it was compiled without alternatives");
    return;
  }
  tuning = &library;
  for (uint32_t i = 1; i < kernel.alternatives()->size(); ++i)
    addAlternative(index, i, loaded);
}

LaunchPlan::~LaunchPlan() {
  if (tuning)
    tuning->forget(*this);
}

cudaError_t LaunchPlan::setAttribute(cudaFuncAttribute attribute, int value) {
  cudaError_t status = original->setAttribute(attribute, value);
  if (status != cudaSuccess)
    return status;
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize)
    dynamicSharedLimit = value; // the alternative's follows with the launch
  else
    forEachCode([&](Code &code) {
      if (status == cudaSuccess)
        status = code.function.setAttribute(attribute, value);
    });
  return status;
}

cudaError_t LaunchPlan::setCacheConfig(cudaFuncCache config) {
  cudaError_t status = original->setCacheConfig(config);
  forEachCode([&](Code &code) {
    if (status == cudaSuccess)
      status = code.function.setCacheConfig(config);
  });
  return status;
}

cudaError_t LaunchPlan::validate(const LaunchShape &program) const {
  const cudaDeviceProp &limits = device.properties;
  if (exceeds(program.grid, limits.maxGridSize) || exceeds(program.block, limits.maxThreadsDim))
    return cudaErrorInvalidConfiguration;
  uint64_t threads = threadsOf(program);
  if (threads > uint64_t(limits.maxThreadsPerBlock))
    return cudaErrorInvalidConfiguration;
  if (kernel.max_threads() != 0 && threads > kernel.max_threads())
    return cudaErrorLaunchOutOfResources;
  if (program.dynamicSharedBytes > dynamicSharedLimit.load(std::memory_order_relaxed))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

/// Lets the code have that much; false where the device has too little.
bool LaunchPlan::allowShared(Code &code, uint64_t dynamicBytes) const {
  if (dynamicBytes + code.staticSharedBytes > device.properties.sharedMemPerBlockOptin)
    return false;
  if (dynamicBytes <= code.dynamicSharedLimit.load(std::memory_order_relaxed))
    return true;
  if (code.function.setAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize, int(dynamicBytes)) !=
      cudaSuccess)
    return false;
  code.dynamicSharedLimit.store(dynamicBytes, std::memory_order_relaxed);
  return true;
}

Misfit LaunchPlan::fit(Code &code, const LaunchShape &shape) const {
  if (exceeds(shape.grid, device.properties.maxGridSize) ||
      exceeds(shape.block, device.properties.maxThreadsDim) || threadsOf(shape) > code.maxThreads)
    return Misfit::TooManyThreads;
  return allowShared(code, shape.dynamicSharedBytes) ? Misfit::None : Misfit::SharedMemory;
}

/// Checks all launches before the first is made.
std::optional<LaunchPlan::Scaled> LaunchPlan::fit(Alternative &alternative,
                                                  const LaunchShape &program, void **arguments) {
  Misfit misfit = compareKnown(alternative.grain.known, program, arguments, parameters);
  std::optional<LaunchShape> whole;
  if (misfit == Misfit::None)
    whole = scaleToGrain(program, alternative.grain, alternative.wholeWarps, misfit);
  Scaled scaled;
  if (whole) {
    scaled = {*whole, remainderOf(program, alternative.grain)};
    if (hasBlocks(scaled.whole))
      misfit = fit(*alternative.whole, scaled.whole);
    if (misfit == Misfit::None && scaled.remainder)
      misfit = fit(*alternative.remainder, scaled.remainder->shape);
  }
  if (misfit == Misfit::None)
    return scaled;
  reportMisfit(alternative, misfit);
  return std::nullopt;
}

void LaunchPlan::reportMisfit(Alternative &alternative, Misfit misfit) {
  if (!Settings::get().verbose)
    return;
  uint32_t bit = 1u << uint32_t(misfit);
  if (alternative.reportedMisfits.fetch_or(bit, std::memory_order_relaxed) & bit)
    return;
  say(kernel.name()->str() + ": " + std::string(alternative.id) +
      " gives way for this launch, because " + std::string(describe(misfit)));
}

cudaError_t LaunchPlan::launchOriginal(const LaunchShape &program, void **arguments,
                                       cudaStream_t stream) {
  return device.device->launch(*original,
                               {program.grid, program.block, uint32_t(program.dynamicSharedBytes),
                                stream, arguments, parameters});
}

cudaError_t LaunchPlan::launchAlternative(const Alternative &alternative,
                                          const LaunchShape &program, const Prepared &prepared,
                                          void **arguments, cudaStream_t stream) {
  void *inlineValues[inlineParameters];
  std::vector<void *> heapValues;
  void **values = inlineValues;
  size_t count = parameters.size() + 1 + 3 * extentParameters;
  if (count > inlineParameters) {
    heapValues.resize(count);
    values = heapValues.data();
  }
  Extent grid = program.grid, block = program.block, first = {};
  void **next = std::copy_n(arguments, parameters.size(), values);
  auto append = [&](Extent &extent) {
    for (uint32_t &size : extent)
      *next++ = &size;
  };
  const Scaled &scaled = prepared.scaled;
  void *scratch = prepared.scratch.address();
  if (scratch)
    *next++ = &scratch;
  if (alternative.takesGrid)
    append(grid);
  if (alternative.takesBlock)
    append(block);
  append(first); // the whole part takes it not, and its layout ends before
  auto launch = [&](const Code &code, const LaunchShape &shape) {
    return device.device->launch(code.function,
                                 {shape.grid, shape.block, uint32_t(shape.dynamicSharedBytes),
                                  stream, values, code.parameters});
  };
  cudaError_t status = cudaSuccess;
  if (hasBlocks(scaled.whole))
    status = launch(*alternative.whole, scaled.whole);
  if (status != cudaSuccess || !scaled.remainder)
    return status;
  first = scaled.remainder->first;
  return launch(*alternative.remainder, scaled.remainder->shape);
}

/// Of all blocks of a launch. The remainder runs after the whole part, in the same memory.
Misfit LaunchPlan::lendScratch(uint64_t blockBytes, const Scaled &scaled, cudaStream_t stream,
                               Scratch::Loan &out) {
  if (stream == cudaStreamPerThread || isRecorded(stream))
    return Misfit::ScratchStream;
  uint64_t blocks = hasBlocks(scaled.whole) ? blocksOf(scaled.whole) : 0;
  if (scaled.remainder)
    blocks = std::max(blocks, blocksOf(scaled.remainder->shape));
  uint64_t bytes = 0;
  return !__builtin_mul_overflow(blocks, blockBytes, &bytes) &&
                 device.scratch.lend(*device.device, stream, bytes, out)
             ? Misfit::None
             : Misfit::ScratchMemory;
}

std::optional<LaunchPlan::Prepared> LaunchPlan::prepare(Alternative &alternative,
                                                        const LaunchShape &program,
                                                        void **arguments, cudaStream_t stream) {
  std::optional<Scaled> scaled = fit(alternative, program, arguments);
  if (!scaled)
    return std::nullopt;
  Prepared prepared = {*scaled};
  if (!alternative.scratchBytes)
    return prepared;
  Misfit misfit = lendScratch(alternative.scratchBytes, prepared.scaled, stream, prepared.scratch);
  if (misfit == Misfit::None)
    return prepared;
  reportMisfit(alternative, misfit);
  return std::nullopt;
}

std::optional<cudaError_t> LaunchPlan::tryLaunch(Alternative &alternative,
                                                 const LaunchShape &program, void **arguments,
                                                 cudaStream_t stream) {
  if (std::optional<Prepared> prepared = prepare(alternative, program, arguments, stream))
    return launchAlternative(alternative, program, *prepared, arguments, stream);
  return std::nullopt;
}

/// What was chosen for the launch's class; null: the original. Takes no lock and
/// asks the device nothing. Choices for one block and shared size share what the
/// device holds of them, so a launch is classified once.
std::optional<LaunchPlan::Alternative *> LaunchPlan::chosenFor(const LaunchShape &program,
                                                               void **arguments) const {
  std::optional<LaunchClass> own;
  for (const ClassChoice &choice : classChoices) {
    if (choice.launchClass.block != program.block ||
        choice.launchClass.dynamicSharedBytes != program.dynamicSharedBytes)
      continue;
    if (!own)
      own = classify(program, choice.residentBlocks, alignmentOf(arguments));
    if (*own == choice.launchClass)
      return choice.alternative;
  }
  return std::nullopt;
}

cudaError_t LaunchPlan::launchChosen(const LaunchShape &program, void **arguments,
                                     cudaStream_t stream) {
  if (!classChoices.empty())
    if (std::optional<Alternative *> chosen = chosenFor(program, arguments)) {
      std::optional<cudaError_t> status;
      if (*chosen)
        status = tryLaunch(**chosen, program, arguments, stream);
      return status ? *status : launchOriginal(program, arguments, stream);
    }
  for (Alternative *alternative : asked)
    if (auto status = tryLaunch(*alternative, program, arguments, stream))
      return *status;
  return launchOriginal(program, arguments, stream);
}

cudaError_t LaunchPlan::launch(const LaunchShape &program, void **arguments, cudaStream_t stream) {
  if (cudaError_t status = validate(program); status != cudaSuccess)
    return status;
  if (tuning)
    return tuning->launch(*this, program, arguments, stream);
  return launchChosen(program, arguments, stream);
}

} // namespace regrain
