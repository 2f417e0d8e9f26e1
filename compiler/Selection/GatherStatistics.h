//===- GatherStatistics.h - Which grains may be worth trying ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Alternatives/Statistics.h"
#include "compiler/Selection/ImageOptions.h"

namespace regrain {

/// Returns what decides which grains of a kernel are worth trying: what its threads do, as
/// Alternatives/Statistics.h counts it, its launches that `options` knows, and what the targets of
/// `options` offer.
[[nodiscard]] Statistics gatherStatistics(const DeviceKernel &kernel, grain::KernelOp op,
                                          const ImageOptions &options);

} // namespace regrain
