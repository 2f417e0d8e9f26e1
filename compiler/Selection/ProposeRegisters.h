//===- ProposeRegisters.h - Grains from compiled originals ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Selection/Build.h"

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

} // namespace regrain
