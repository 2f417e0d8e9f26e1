//===- MeasuredLaunches.h - Launches that were measured ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Choices/Choices.h"
#include "compiler/Frontend/Frontend.h"

namespace regrain {

/// Returns what is known of launches of a kernel, each once: first those of the classes that
/// `measured` has for a kernel of that name (--launches), the longest first, then those that the
/// source shows. Launches of another version of the kernel count as well, because they are likely
/// to be the same, and each launch is compared before it runs a grain for them.
[[nodiscard]] std::vector<KnownLaunch> launchesOf(const DeviceKernel &kernel,
                                                  const TunedChoices &measured);

} // namespace regrain
