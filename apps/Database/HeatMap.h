//===- HeatMap.h - Gains by block and thread factors ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of each class of launches that was measured, a table of characters: a row for each grouping of
// blocks, a column for each grouping of threads. A cell has the best gain of the grains that have
// these factors, whatever their other keys are.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Database/Entries.h"

#include <iosfwd>

namespace regrain::database {

/// Writes the tables, with lines of at most 80 columns; nothing if nothing was measured.
void writeHeatMaps(const KernelEntries &kernel, std::ostream &out);

} // namespace regrain::database
