//===- MeasuredLaunches.cpp - Launches that were measured -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/MeasuredLaunches.h"

#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace regrain;

/// Returns the classes of a kernel whose launches are known, the longest first.
static std::vector<const ClassChoice *> classesOf(const TunedChoices &measured,
                                                  const std::string &kernel) {
  std::vector<const ClassChoice *> classes;
  for (const KernelChoices &version : measured.kernels)
    for (const ClassChoice &each : version.classes)
      if (version.name == kernel && !each.launch.empty())
        classes.push_back(&each);
  llvm::sort(classes, [](const ClassChoice *a, const ClassChoice *b) {
    return std::tie(b->originalMicroseconds, a->launch) <
           std::tie(a->originalMicroseconds, b->launch);
  });
  return classes;
}

std::vector<KnownLaunch> regrain::launchesOf(const DeviceKernel &kernel,
                                             const TunedChoices &measured) {
  std::vector<KnownLaunch> launches;
  auto add = [&](const KnownLaunch &launch) {
    if (!llvm::is_contained(launches, launch))
      launches.push_back(launch);
  };
  for (const ClassChoice *each : classesOf(measured, kernel.name))
    if (OrError<GrainSpec> spec = parseGrainSpec(each->launch))
      add(spec->grain.known);
  for (const SeenLaunch &launch : kernel.launches)
    add(launch.known);
  return launches;
}
