//===- Remarks.h - Remarks on what was done to kernels ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass is called "regrain". A passed remark lists the grains that a kernel has beside its
// original. A missed remark reports refused grains, one remark for each reason, and pruned grains.
// An analysis remark reports what a thread does, the back end's figures for each grain and target,
// and objections to a grain that was kept.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Selection/Build.h"

namespace regrain {

/// Writes the remarks that `options` asks for to stderr. The refusal of a grain that --coarsen
/// names, or on which a back end failed, is always printed; that of a grain of --alternatives only
/// if -Rpass-missed matches. Otherwise a kernel that has nothing but its original gets one line.
void printRemarks(const Build &build);

/// Does the same for refusals alone.
void printRefusals(llvm::ArrayRef<RefusedGrain> refused, const RemarkOptions &options);

/// Writes every remark to the record that `options` names, if any, in a form that LLVM's remark
/// readers understand.
llvm::Error writeRemarkRecord(const Build &build);

} // namespace regrain
