//===- Prepare.h - LLVM passes before import --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:  the device module as clang emitted it.
// Out: the same with the part of the -O3 pipeline that comes before its loop
//      passes, so that loops still have the shape of the source, and with every
//      function that takes part in the nest (reads thread coordinates,
//      synchronises, touches shared memory) inlined into the kernels.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace regrain {

/// Prepares `module` for the import of `kernels`. Bodies of other kernels and
/// what only they reach are dropped; variables that can be written become
/// external, since the base module owns them.
llvm::Error prepare(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels);

/// Asks for the inlining of every function that takes part in the nest, except
/// `kernels` and recursive ones.
void forceInlining(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels);

/// Makes what is not reached from `kernels` a declaration.
void dropUnreached(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels);

/// Functions that read thread coordinates or sizes, use shared memory or hold
/// convergent instructions, themselves or in what they call.
llvm::DenseSet<const llvm::Function *> findCooperating(const llvm::Module &module);

/// The functions in whose instructions `global` is used, through constants too.
llvm::DenseSet<const llvm::Function *> findUsers(const llvm::GlobalVariable &global);

/// Whether `call` synchronises threads or reads their coordinates or sizes.
bool takesPartInNest(const llvm::CallBase &call);

/// Functions reached from `roots` by direct calls and by address, `roots` too.
llvm::SmallVector<llvm::Function *> findReached(llvm::ArrayRef<llvm::Function *> roots);

} // namespace regrain
