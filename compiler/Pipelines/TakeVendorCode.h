//===- TakeVendorCode.h - The vendor's code as alternatives -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of the vendor's compiler become part of the base module, so that they use its
// variables (docs/decisions/0077).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Selection/Build.h"
#include "compiler/VendorCode/Companions.h"
#include <future>
#include <map>

namespace regrain {

/// The vendor's compiler at work on one source, for each architecture that needs it. The work
/// begins with the construction; the destructor waits for its end.
class VendorCode {
public:
  /// Starts nothing if no grain of the vendor's compiler can be asked for.
  VendorCode(const ImageOptions &options, llvm::ArrayRef<SelectedTarget> targets);

  /// Waits for the PTX; the error is one clause. Any threads may call.
  const OrError<std::string> &ptxFor(Architecture arch) const;

private:
  std::map<Architecture, std::shared_future<OrError<std::string>>> results;
};

/// Returns the vendor's kernels for the base module of a target: those that the plan has.
Companions companionsFor(const Build &build, unsigned target, const VendorCode &vendor);

/// Lists the companions that were refused among the kernels of the base module.
void addRefused(const Companions &companions, CompiledModule &base);

/// Returns the vendor's code of a kernel in a target's base module, with no bound of its registers;
/// null if that has none.
[[nodiscard]] const KernelCode *vendorCodeOf(const Build &build, unsigned kernel, unsigned target);

/// Ends the task of a grain of the vendor's compiler, whose code is in the base modules. Waits for
/// them; their jobs start before any job that calls this.
void takeFromBase(const Build &build, Build::AlternativeTask &task);

} // namespace regrain
