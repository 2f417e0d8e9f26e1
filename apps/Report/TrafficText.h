//===- TrafficText.h - Traffic as tables ------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Report/FileReport.h"

#include <map>
#include <set>

namespace regrain::report {

/// What the user says of the launch; what is not said comes from the image.
struct LaunchOptions {
  std::optional<std::array<uint32_t, 3>> block;
  std::optional<uint64_t> trips; ///< of each loop whose length is not known
  std::string launch;            ///< as a SPEC; empty: it is not told
};

/// Launches as SPECs, by the hashes of their kernels.
using LaunchesOfKernels = std::map<std::string, std::set<std::string>>;

/// Fills in the traffic of the kernels whose footprints the image tells: for the user's block, that
/// of the launches in the source, the launch bounds, or 256 threads.
void addTraffic(FileReport &report, const LaunchOptions &options);

/// Fills in the traffic for launches. What is no SPEC is left out.
void addTrafficOfLaunches(FileReport &report, const LaunchesOfKernels &launches);

/// Writes a table for each kernel.
void writeTraffic(const FileReport &report, std::ostream &out);

} // namespace regrain::report
