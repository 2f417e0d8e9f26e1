//===- Park.h - Instructions that MLIR 19 cannot carry ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline assembly, most nvvm intrinsics, calls with operand bundles, and memory intrinsics with
// alignment have no faithful form in MLIR 19. Each becomes a call of a stand-in: a function whose
// body is the instruction, with its attributes, immediates and fast-math flags. The import sees
// only a declaration with the attributes that analyses ask for; export inlines the stand-in.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Import/Callees.h"
#include "compiler/Import/Contents.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/DenseSet.h"

namespace regrain {

/// Returns the LLVM intrinsics that the import into `context` knows.
llvm::DenseSet<unsigned> importableIntrinsics(mlir::MLIRContext &context);

struct ParkedInstructions {
  ParkedIntrinsics intrinsics;
  CalleeTable callees; ///< what each stand-in does
};

/// Parks the instructions of `kernels` that MLIR cannot carry. A stand-in for an intrinsic has the
/// intrinsic's name without "llvm.".
ParkedInstructions park(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels,
                        const llvm::DenseSet<unsigned> &importable);

/// Inlines all stand-ins and removes them.
void unpark(llvm::Module &module);

} // namespace regrain
