//===- ProposeRegisters.h - Grains from compiled originals ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Selection/Build.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace regrain {

/// Returns whether some target reports the registers of originals, so that places of a kernel's
/// budget are worth reserving.
[[nodiscard]] bool reportsRegisters(const Build &build);

/// Gives places of each kernel's budget to the grains that its original's registers suggest
/// (Alternatives/RegisterSteps.h), when all originals are compiled: at most a quarter of the
/// places, and at most mostRegisterSteps. Call this before tryNext.
void reserveForRegisters(Build &build);

/// Puts those grains before what is left of each kernel's space, those for the first target first,
/// and returns the places that are not needed.
void proposeRegisters(Build &build);

/// Returns what the vendor's compiler made of a kernel for a target, by their indices; null if
/// there is none.
using VendorCodeOf = llvm::function_ref<const KernelCode *(unsigned kernel, unsigned target)>;

/// Adds to each kernel's grains the code of the vendor's compiler with the registers at which more
/// of its blocks are resident: the first step for each target alone, because each one is another
/// copy of the kernel in the base modules. Returns whether these lack any.
[[nodiscard]] bool proposeVendorRegisters(Build &build, VendorCodeOf vendorCodeOf);

} // namespace regrain
