//===- Skeleton.h - What stays LLVM IR --------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only the bodies of kernels go through MLIR. The rest of the prepared module is kept in the
// skeleton, and an exported kernel is linked into a copy of it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Import/Contents.h"
#include "llvm/ADT/SetVector.h"
#include <array>
#include <optional>

namespace regrain {

/// Returns a copy of `module` for the import, with the bodies of `kernels` and declarations of what
/// they refer to.
std::unique_ptr<llvm::Module> extractKernels(const llvm::Module &module,
                                             llvm::ArrayRef<llvm::Function *> kernels);

/// Drops the bodies of `kernels`, makes everything linkable by name, and drops the initial values
/// of what the base module owns: variables that can be written, and the constants `shown` by
/// address. Returns the bitcode.
llvm::SmallVector<char, 0> makeSkeleton(llvm::Module &module,
                                        llvm::ArrayRef<llvm::Function *> kernels,
                                        const llvm::SetVector<const llvm::GlobalVariable *> &shown);

/// How the launched block follows from the program's, per dimension, and what is known of every
/// launch.
struct LaunchScale {
  using Sizes = std::array<int32_t, 3>;
  Sizes multiplier = {1, 1, 1}; ///< fused blocks
  Sizes divisor = {1, 1, 1};    ///< thread factors
  std::optional<Sizes> block;   ///< launched; set if the program's is known or does not matter
  std::optional<Sizes> grid;    ///< launched; set if the program's is known
  std::optional<int32_t> bound; ///< max threads of a launched block, whatever the program's
};

/// Links `body`, which defines `symbol`, into a copy of the skeleton and gives it the attributes
/// and annotations of `original`, with launch bounds scaled and no greater than `scale.bound`. A
/// block that every launch has becomes a requirement of the launch. What the kernel does not reach
/// is removed.
llvm::Expected<std::unique_ptr<llvm::Module>>
linkIntoSkeleton(llvm::ArrayRef<char> skeleton, std::unique_ptr<llvm::Module> body,
                 llvm::StringRef symbol, llvm::StringRef original, const LaunchScale &scale);

} // namespace regrain
