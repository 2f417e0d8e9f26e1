//===- result_reads.h - Whether a launch reads what it writes ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several launches are timed on the same memory, one behind the other. The second one starts with
// the results of the first. If the kernel reads them, it may do other work: a search finds all
// nodes visited, a sort has nothing to move. If it does not read them, it does the same.
//
// The image tells which memory a kernel reads and writes (footprint.h): through which parameters,
// which variables, or that it is not known. What its addresses are does not matter here. In C++ a
// pointer that is derived from an argument points into the same allocation.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "image_generated.h"
#include "runtime/tuning/reach.h"

#include <vector>

namespace regrain {

/// Returns true if it is proved that a launch of the kernel reads no memory that it writes, with
/// these words as its arguments. The kernel must stay in its arguments.
[[nodiscard]] bool readsNoResults(const image::Kernel &kernel,
                                  const std::vector<ArgumentWord> &words,
                                  const std::vector<Allocation> &owned);

} // namespace regrain
