//===- launch_plan.cpp - The plan of a kernel's launches ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch_plan.h"

#include "runtime/core/settings.h"

#include <algorithm>

namespace regrain {
namespace {

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

} // namespace

cudaError_t LaunchPlan::make(const image::Image &image, uint32_t index, LoadedImage &loaded,
                             OpenDevice &device, bool answersAsCuda13,
                             std::unique_ptr<LaunchPlan> &out) {
  const image::Kernel &kernel = *image.kernels()->Get(index);
  std::unique_ptr<LaunchPlan> plan(new LaunchPlan(image, kernel, device));
  plan->answersAsCuda13 = answersAsCuda13;
  LoadedFunction original;
  cudaError_t status = loaded.function(index, 0, original);
  plan->original = original.function;
  plan->singleDimensions = original.singleDimensions;
  plan->boundThreads = original.boundThreads;
  if (status == cudaSuccess)
    status = plan->readOriginal();
  if (status != cudaSuccess)
    return status;
  plan->codeGeneration = loaded.generation();
  if (kernel.may_allocate())
    device.mayHaveHeap = true;
  plan->choose(index, loaded);
  out = std::move(plan);
  return cudaSuccess;
}

LaunchPlan::~LaunchPlan() {
  if (tuning)
    tuning->forget(*this);
}

cudaError_t LaunchPlan::readOriginal() {
  cudaFuncAttributes attributes = {};
  if (cudaError_t status = original->attributes(attributes); status != cudaSuccess)
    return status;
  waits = waitsForOthers(attributes);
  parameters = layoutOf(kernel);
  for (uint32_t i = 0; i < parameters.size(); ++i)
    if (kernel.parameters()->Get(i)->pointer())
      pointerParameters.push_back(i);
  for (uint32_t i = 0; kernel.integers() && i < kernel.integers()->size(); ++i)
    integers.push_back(*kernel.integers()->Get(i));
  dynamicSharedLimit = attributes.maxDynamicSharedSizeBytes;
  if (const image::Dim3 *cluster = kernel.cluster())
    for (auto [d, size] : {std::pair(0, cluster->x()), {1, cluster->y()}, {2, cluster->z()}})
      demandedCluster[d] = size;
  return cudaSuccess;
}

cudaError_t LaunchPlan::attributes(cudaFuncAttributes &out) {
  cudaError_t status = device.device->stickyError();
  if (status == cudaSuccess)
    status = original->attributes(out);
  if (status == cudaSuccess && boundThreads != 0)
    out.maxThreadsPerBlock = std::min(out.maxThreadsPerBlock, int(boundThreads));
  out.requiredClusterWidth = int(demandedCluster[0]);
  out.requiredClusterHeight = int(demandedCluster[1]);
  out.requiredClusterDepth = int(demandedCluster[2]);
  out.nonPortableClusterSizeAllowed = allowsLargeClusters;
  return status;
}

cudaError_t LaunchPlan::setAttribute(cudaFuncAttribute attribute, int value) {
  if (attribute >= cudaFuncAttributeRequiredClusterWidth &&
      attribute <= cudaFuncAttributeRequiredClusterDepth)
    return setCluster(attribute, value);
  cudaError_t status = original->setAttribute(attribute, value);
  if (status != cudaSuccess)
    return status;
  device.occupancyChanges.fetch_add(1, std::memory_order_release);
  if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed)
    allowsLargeClusters = value != 0;
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize)
    dynamicSharedLimit = value; // the alternative's limit follows with its launch
  else
    forEachCode([&](Code &code) {
      if (status == cudaSuccess)
        status = code.function.setAttribute(attribute, value);
    });
  return status;
}

cudaError_t LaunchPlan::setCacheConfig(cudaFuncCache config) {
  cudaError_t status = original->setCacheConfig(config);
  device.occupancyChanges.fetch_add(1, std::memory_order_release);
  forEachCode([&](Code &code) {
    if (status == cudaSuccess)
      status = code.function.setCacheConfig(config);
  });
  return status;
}

bool LaunchPlan::exceedsDevice(const LaunchShape &shape) const {
  return exceeds(shape.grid, device.properties.maxGridSize) ||
         exceeds(shape.block, device.properties.maxThreadsDim);
}

cudaError_t LaunchPlan::validate(const LaunchShape &program) const {
  uint64_t threads = product(program.block);
  if (exceedsDevice(program) || threads > uint64_t(device.properties.maxThreadsPerBlock))
    return answersAsCuda13 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;
  if (boundThreads != 0 && threads > boundThreads)
    return answersAsCuda13 ? cudaErrorInvalidValue : cudaErrorLaunchOutOfResources;
  if (program.dynamicSharedBytes > dynamicSharedLimit.load(std::memory_order_relaxed))
    return cudaErrorInvalidValue;
  if (hasSeveral(program.block, singleDimensions)) {
    std::call_once(isRefusalSaid, [&] { sayRefusal(program); });
    return cudaErrorNotSupported;
  }
  return cudaSuccess;
}

void LaunchPlan::sayRefusal(const LaunchShape &program) const {
  const auto &[x, y, z] = program.block;
  std::string single;
  for (int d = 0; d < 3; ++d)
    if (singleDimensions >> d & 1)
      single += (single.empty() ? "" : " and ") + std::string(1, "xyz"[d]);
  say(kernel.name()->str() + ": cannot be launched with blocks of " + std::to_string(x) + " x " +
      std::to_string(y) + " x " + std::to_string(z) + " threads on " + device.properties.name +
      ": blocks must have one thread in " + single +
      ", because lanes of a wave run in lockstep there");
}

cudaError_t LaunchPlan::launchOriginal(const LaunchShape &program, void **arguments,
                                       cudaStream_t stream) {
  return device.device->launch(*original, originalLaunch(program, arguments, stream));
}

Launch LaunchPlan::originalLaunch(const LaunchShape &program, void **arguments, cudaStream_t stream,
                                  bool mayBeginEarly) const {
  return {.grid = program.grid,
          .block = program.block,
          .dynamicSharedBytes = uint32_t(program.dynamicSharedBytes),
          .stream = stream,
          .values = arguments,
          .parameters = parameters,
          .cluster = program.cluster,
          .mayBeginEarly = mayBeginEarly && waits};
}

cudaError_t LaunchPlan::launchChosen(const LaunchShape &program, void **arguments,
                                     cudaStream_t stream, bool mayBeginEarly) {
  if (ClassChoice *choice = choiceFor(program, arguments))
    return launchChoice(*choice, program, arguments, stream, mayBeginEarly);
  for (Alternative *alternative : asked)
    if (auto status = tryLaunch(*alternative, program, arguments, stream, mayBeginEarly))
      return *status;
  return device.device->launch(*original,
                               originalLaunch(program, arguments, stream, mayBeginEarly));
}

/// A launch that is measured runs alone. One with clusters is measured if something else than the
/// original may run.
cudaError_t LaunchPlan::launchTunable(const LaunchShape &program, void **arguments,
                                      cudaStream_t stream, bool mayBeginEarly) {
  bool isMeasured = tuning && (!isClustered(program) || hasPlainVariants());
  return isMeasured ? tuning->launch(*this, program, arguments, stream)
                    : launchChosen(program, arguments, stream, mayBeginEarly);
}

cudaError_t LaunchPlan::launch(const LaunchShape &program, void **arguments, cudaStream_t stream) {
  if (hasClusters())
    return launchTogether(program, {}, arguments, stream);
  if (cudaError_t status = validate(program); status != cudaSuccess) {
    cudaError_t left = device.device->stickyError(); // precedes errors of this launch
    return left != cudaSuccess ? left : status;
  }
  return launchTunable(program, arguments, stream);
}

} // namespace regrain
