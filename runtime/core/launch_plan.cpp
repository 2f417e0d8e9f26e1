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

uint64_t threadsOf(const LaunchShape &shape) {
  return uint64_t(shape.block[0]) * shape.block[1] * shape.block[2];
}

} // namespace

cudaError_t LaunchPlan::make(const image::Image &image, uint32_t index, LoadedImage &loaded,
                             OpenDevice &device, std::unique_ptr<LaunchPlan> &out) {
  const image::Kernel &kernel = *image.kernels()->Get(index);
  std::unique_ptr<LaunchPlan> plan(new LaunchPlan(kernel, device));
  cudaError_t status = loaded.function(index, 0, plan->original);
  if (status == cudaSuccess)
    status = plan->readOriginal();
  if (status != cudaSuccess)
    return status;
  plan->choose(image, index, loaded);
  out = std::move(plan);
  return cudaSuccess;
}

cudaError_t LaunchPlan::readOriginal() {
  cudaFuncAttributes attributes = {};
  if (cudaError_t status = original->attributes(attributes); status != cudaSuccess)
    return status;
  parameters = layoutOf(kernel);
  dynamicSharedLimit = attributes.maxDynamicSharedSizeBytes;
  return cudaSuccess;
}

LaunchPlan::Alternative::Alternative(Function &function, const image::Alternative &entry)
    : function(function), id(entry.id()->string_view()), grain(grainOf(entry)),
      wholeWarps(entry.whole_warps()), takesGrid(entry.takes_grid()),
      takesBlock(entry.takes_block()) {}

cudaError_t LaunchPlan::addAlternative(const image::Alternative &entry, Function &function) {
  cudaFuncAttributes attributes = {};
  if (cudaError_t status = function.attributes(attributes); status != cudaSuccess)
    return status;
  auto alternative = std::make_unique<Alternative>(function, entry);
  alternative->maxThreads = attributes.maxThreadsPerBlock;
  alternative->staticSharedBytes = attributes.sharedSizeBytes;
  alternative->dynamicSharedLimit = attributes.maxDynamicSharedSizeBytes;
  alternative->parameters = parameters;
  size_t appended = (entry.takes_grid() + entry.takes_block()) * extentParameters;
  for (uint32_t i = 0; i < appended; ++i)
    alternative->parameters.push_back(
        {uint32_t(entry.parameters_offset() + i * sizeof(uint32_t)), sizeof(uint32_t)});
  alternatives.push_back(std::move(alternative));
  return cudaSuccess;
}

void LaunchPlan::choose(const image::Image &image, uint32_t index, LoadedImage &loaded) {
  std::string prefix = kernel.name()->str() + ": ", order;
  for (const AlternativeChoice &choice :
       chooseAlternatives(image, kernel, Settings::get().requests)) {
    const image::Alternative &entry = *kernel.alternatives()->Get(choice.index);
    std::string id = entry.id()->str();
    if (choice.index != 0) {
      Function *function = nullptr;
      cudaError_t status = loaded.function(index, choice.index, function);
      if (status == cudaSuccess)
        status = addAlternative(entry, *function);
      if (status != cudaSuccess) {
        sayVerbose(prefix + id + " cannot be loaded on " + device.properties.name + " (error " +
                   std::to_string(status) + ")");
        continue;
      }
    }
    order += (order.empty() ? "" : ", else ") + id;
    if (!choice.reason.empty())
      order += " (" + choice.reason + ")";
  }
  sayVerbose(prefix + order);
}

cudaError_t LaunchPlan::setAttribute(cudaFuncAttribute attribute, int value) {
  cudaError_t status = original->setAttribute(attribute, value);
  if (status != cudaSuccess)
    return status;
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize)
    dynamicSharedLimit = value; // the alternative's follows with the launch
  else
    for (auto &alternative : alternatives)
      if (status == cudaSuccess)
        status = alternative->function.setAttribute(attribute, value);
  return status;
}

cudaError_t LaunchPlan::setCacheConfig(cudaFuncCache config) {
  cudaError_t status = original->setCacheConfig(config);
  for (auto &alternative : alternatives)
    if (status == cudaSuccess)
      status = alternative->function.setCacheConfig(config);
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

/// Lets the alternative have that much; false where the device has too little.
bool LaunchPlan::allowShared(Alternative &alternative, uint64_t dynamicBytes) {
  if (dynamicBytes + alternative.staticSharedBytes > device.properties.sharedMemPerBlockOptin)
    return false;
  if (dynamicBytes <= alternative.dynamicSharedLimit.load(std::memory_order_relaxed))
    return true;
  if (alternative.function.setAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        int(dynamicBytes)) != cudaSuccess)
    return false;
  alternative.dynamicSharedLimit.store(dynamicBytes, std::memory_order_relaxed);
  return true;
}

std::optional<LaunchShape> LaunchPlan::fit(Alternative &alternative, const LaunchShape &program,
                                           void **arguments) {
  Misfit misfit = compareKnown(alternative.grain.known, program, arguments, parameters);
  std::optional<LaunchShape> scaled;
  if (misfit == Misfit::None)
    scaled = scaleToGrain(program, alternative.grain, alternative.wholeWarps, misfit);
  if (scaled && (exceeds(scaled->grid, device.properties.maxGridSize) ||
                 exceeds(scaled->block, device.properties.maxThreadsDim) ||
                 threadsOf(*scaled) > alternative.maxThreads)) {
    misfit = Misfit::TooManyThreads;
    scaled.reset();
  }
  if (scaled && !allowShared(alternative, scaled->dynamicSharedBytes)) {
    misfit = Misfit::SharedMemory;
    scaled.reset();
  }
  if (!scaled)
    reportMisfit(alternative, misfit);
  return scaled;
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
                                          const LaunchShape &program, const LaunchShape &shape,
                                          void **arguments, cudaStream_t stream) {
  Launch launch = {shape.grid, shape.block, uint32_t(shape.dynamicSharedBytes),
                   stream,     arguments,   alternative.parameters};
  if (!alternative.takesGrid)
    return device.device->launch(alternative.function, launch);
  void *inlineValues[inlineParameters];
  std::vector<void *> heapValues;
  launch.values = inlineValues;
  if (alternative.parameters.size() > inlineParameters) {
    heapValues.resize(alternative.parameters.size());
    launch.values = heapValues.data();
  }
  Extent grid = program.grid, block = program.block;
  void **next = std::copy_n(arguments, parameters.size(), launch.values);
  for (size_t d = 0; d < extentParameters; ++d)
    *next++ = &grid[d];
  for (size_t d = 0; alternative.takesBlock && d < extentParameters; ++d)
    *next++ = &block[d];
  return device.device->launch(alternative.function, launch);
}

cudaError_t LaunchPlan::launch(const LaunchShape &program, void **arguments, cudaStream_t stream) {
  if (cudaError_t status = validate(program); status != cudaSuccess)
    return status;
  for (auto &alternative : alternatives)
    if (std::optional<LaunchShape> shape = fit(*alternative, program, arguments))
      return launchAlternative(*alternative, program, *shape, arguments, stream);
  return launchOriginal(program, arguments, stream);
}

} // namespace regrain
