//===- Prepare.h - LLVM passes before import --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:  the device module as clang emitted it.
// Out: the module after the part of the -O3 pipeline that precedes its loop passes, so that loops
//      still have the shape of the source. Every function that takes part in the nest (reads thread
//      coordinates, synchronises, touches shared memory) is inlined into the kernels, and it is
//      decided which products are fused. The originals of targets that fuse begin with the same
//      module (`ImportedModule::base`).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/DeviceIR/RepeatedFunctions.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace regrain {

/// Runs the passes that the originals and the grains share. Variables that can be written become
/// external, since the base module owns them. Returns whether functions stay that only the grains
/// need inlined.
llvm::Expected<bool> prepareForAll(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels);

/// Inlines the functions that stay in the originals alone.
llvm::Error inlineStaying(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels);

/// Drops what grain IR cannot hold, the bodies of other functions than those that `kernels` reach,
/// and writes to parameters.
void prepareForImport(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels);

/// Marks every function that takes part in the nest for inlining, except `kernels`, recursive
/// functions and those in `staying`.
void forceInlining(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels,
                   const FunctionsOfModule &staying = {});

/// Turns functions that are not reached from `kernels` into declarations.
void dropUnreached(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels);

/// Returns the functions that read thread coordinates or sizes, use shared memory or contain
/// convergent instructions, directly or in what they call.
llvm::DenseSet<const llvm::Function *> findCooperating(const llvm::Module &module);

/// Returns the functions whose instructions use `global`, directly or through constants.
llvm::DenseSet<const llvm::Function *> findUsers(const llvm::GlobalVariable &global);

/// Returns whether `call` synchronises threads or reads their coordinates or sizes.
bool takesPartInNest(const llvm::CallBase &call);

} // namespace regrain
