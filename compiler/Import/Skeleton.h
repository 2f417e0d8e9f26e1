//===- Skeleton.h - What stays LLVM IR --------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only the bodies of kernels go through MLIR. Everything else of the prepared
// module waits in the skeleton, and an exported kernel is linked into a copy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Import/Record.h"
#include "llvm/ADT/SetVector.h"
#include <array>
#include <optional>

namespace regrain {

/// A copy of `module` for the import: bodies of `kernels`, declarations of what
/// they refer to.
std::unique_ptr<llvm::Module> extractKernels(const llvm::Module &module,
                                             llvm::ArrayRef<llvm::Function *> kernels);

/// Drops the bodies of `kernels`, makes everything linkable by name and drops
/// the initial values of what the base module owns: variables that can be written, and
/// the constants `shown` by address. Returns the bitcode.
llvm::SmallVector<char, 0> makeSkeleton(llvm::Module &module,
                                        llvm::ArrayRef<llvm::Function *> kernels,
                                        const llvm::SetVector<const llvm::GlobalVariable *> &shown);

/// How the launched block comes from the program's, per dimension, and what every
/// launch has.
struct LaunchScale {
  using Sizes = std::array<int32_t, 3>;
  Sizes multiplier = {1, 1, 1}; ///< fused blocks
  Sizes divisor = {1, 1, 1};    ///< thread factors
  std::optional<Sizes> block;   ///< launched, where the program's is known or makes no difference
  std::optional<Sizes> grid;    ///< launched, where the program's is known
  std::optional<int32_t> bound; ///< most threads of a launched block, whatever the program's
};

/// Links `body`, which defines `symbol`, into a copy of the skeleton and gives
/// it the attributes and annotations of `original`, launch bounds scaled and no
/// wider than `scale.bound`. A block that every launch has is required of the launch. What the
/// kernel does not reach is dropped.
llvm::Expected<std::unique_ptr<llvm::Module>>
linkIntoSkeleton(llvm::ArrayRef<char> skeleton, std::unique_ptr<llvm::Module> body,
                 llvm::StringRef symbol, llvm::StringRef original, const LaunchScale &scale);

} // namespace regrain
