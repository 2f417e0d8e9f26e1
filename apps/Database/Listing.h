//===- Listing.h - Tables of a database -------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Database/Entries.h"

#include <iosfwd>

namespace regrain::database {

/// Returns "13.0" for cudaDriverGetVersion's 13000.
[[nodiscard]] std::string driverText(int driver);

/// Writes one line for each kernel: the largest gain among its classes, and
/// their number.
void writeList(const std::vector<KernelEntries> &kernels, std::ostream &out);
void writeListJson(const std::vector<KernelEntries> &kernels, std::ostream &out);

/// Writes each kernel's choices by class with their figures, and its exclusions
/// with their reasons.
void writeDetails(const std::vector<KernelEntries> &kernels, std::ostream &out);

} // namespace regrain::database
