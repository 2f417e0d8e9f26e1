//===- profiler_ranges.h - Ranges in NVIDIA's and AMD's profilers -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activities are NVTX ranges in Nsight Systems and Nsight Compute, and roctx ranges in rocprof.
// Neither needs a toolkit to build: a profiler of NVIDIA's names its library in
// NVTX_INJECTION64_PATH, and fills the table of functions that the process offers it
// (docs/decisions/0120-what-tuning-shows.md); roctx is a library with plain functions.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/activities.h"

namespace regrain {

/// Returns null if the process runs under no profiler that has ranges.
[[nodiscard]] std::unique_ptr<ActivityListener> makeProfilerRanges();

} // namespace regrain
