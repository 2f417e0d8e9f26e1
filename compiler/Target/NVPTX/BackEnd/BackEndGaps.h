//===- BackEndGaps.h - What LLVM's NVPTX target gets wrong ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Pass.h"

namespace regrain::nvptx {

/// Replaces the conversions between integers and floating-point numbers that round towards zero by
/// their PTX instructions. LLVM 19 simplifies llvm.nvvm.i2f.rz and its like to sitofp, which rounds
/// to nearest, and llvm.nvvm.f2i.rz and its like to fptosi, which is undefined out of range.
/// To be called before optimisation.
void keepRoundingTowardsZero(llvm::Module &module);

/// Gives stack memory whose size is known only at run time an alignment that LLVM 19 writes into
/// PTX: of one that the stack has anyway it makes 0, which ptxas rejects.
void alignDynamicStackMemory(llvm::Module &module);

/// Replaces asynchronous copies by their PTX instructions. LLVM 19 selects those intrinsics only if
/// the shared address has as many bits as the global one. To be called after optimisation.
void copyToShortAddresses(llvm::Module &module);

/// Returns a pass that lets extensions of loaded numbers no longer say that these are not negative.
/// LLVM 19 moves an extension to the load from behind a branch that excludes negative numbers, and
/// leaves the mark. The result is then poison for the others. To be run behind CodeGenPrepare.
llvm::FunctionPass *createForgetLoadedSigns();

} // namespace regrain::nvptx
