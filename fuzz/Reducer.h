//===- Reducer.h - The smallest kernel that still fails ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Guard.h"
#include "fuzz/Walk.h"

namespace regrain::fuzz {

/// Kernels that are one step smaller, the largest steps first; each obeys
/// Rules.h.
std::vector<Kernel> smallerForms(const Kernel &kernel);

/// Takes steps for as long as one is found at which the kernel fails at `grain`
/// in the same way: it differs, it has a fault when it is interpreted, or it cannot
/// be compiled or run. Ends after
/// `seconds` at the latest.
Kernel reduce(const Kernel &kernel, const Grain &grain, Verdict how, BatchOptions options,
              unsigned seconds);

} // namespace regrain::fuzz
