//===- Remarks.h - What was done to each kernel, as remarks -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass is called "regrain". Passed: the grains that a kernel has beside its
// original. Missed: grains that were refused; those with one reason share a
// remark; and grains that were pruned. Analysis: what a thread does, the back
// end's figures of each grain and target, and what speaks against one that was kept.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Selection/Build.h"

namespace regrain {

/// Writes to stderr the remarks that `options` asks for. A refused grain that
/// --coarsen names, or on which a back end failed, is always told. One of --alternatives is told
/// where -Rpass-missed matches; otherwise a kernel of which nothing but the original is left gets
/// one line.
void printRemarks(const Build &build);

/// The same for refusals alone.
void printRefusals(llvm::ArrayRef<RefusedGrain> refused, const RemarkOptions &options);

/// Writes every remark to the record that `options` names, if any, in a form
/// that LLVM's remark readers know.
llvm::Error writeRemarkRecord(const Build &build);

} // namespace regrain
