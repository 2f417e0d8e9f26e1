//===- WrapNest.h - A kernel's body as a nest -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Import/Contents.h"

namespace regrain {

/// A variable in shared memory that only kernels use.
struct SharedVariable {
  bool isDynamic; ///< declared extern: the launch determines its size
  uint64_t alignment;
};
using SharedVariables = llvm::StringMap<SharedVariable>;

/// Returns the shared variables that only the bodies of `kernels` use. Others stay addresses of
/// globals, which cannot be copied for a second block.
SharedVariables findSharedVariables(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels);

/// Returns whether `op` is a barrier of the whole block.
bool isBlockBarrier(mlir::Operation &op, const ParkedIntrinsics &parked);

/// Replaces a structured kernel function by a grain.kernel: its body becomes that of grain.threads,
/// and coordinates and sizes of the launch, barriers and shared variables become operations of the
/// dialect.
grain::KernelOp wrapNest(mlir::LLVM::LLVMFuncOp function, const ParkedIntrinsics &parked,
                         const SharedVariables &shared);

} // namespace regrain
