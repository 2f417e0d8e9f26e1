//===- Park.h - Instructions that MLIR 19 cannot carry ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline assembly, most nvvm intrinsics, calls with operand bundles, and memory
// intrinsics with alignment have no faithful form in MLIR 19. Each becomes a
// call of a stand-in: a function whose body is the instruction, with the
// attributes, immediates and fast-math flags that it had. The import sees a
// declaration, with the attributes that analyses ask for; export inlines it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Import/Record.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/DenseSet.h"

namespace regrain {

/// The LLVM intrinsics that the import into `context` knows.
llvm::DenseSet<unsigned> importableIntrinsics(mlir::MLIRContext &context);

/// Parks what `kernels` hold and MLIR cannot carry. Stand-ins for intrinsics
/// carry the intrinsic's name less "llvm.".
ParkedIntrinsics park(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels,
                      const llvm::DenseSet<unsigned> &importable);

/// Gives declarations of libdevice's functions the attributes of pure math;
/// those that store a second result through a pointer only that.
void describeMathFunctions(llvm::Module &module);

/// clang marks every device function convergent. The functions that the kernels
/// still call take no part in the nest, since those have been inlined; the mark
/// stays on those alone that may wait for other threads (volatile and atomic
/// accesses, inline assembly).
void dropAssumedConvergence(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels);

/// Inlines all stand-ins and drops them.
void unpark(llvm::Module &module);

} // namespace regrain
