//===- KernelHash.h - What a kernel's code is, in 128 bits ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The content of a kernel is its device IR as the frontend emits it and everything that it reaches:
// functions, variables with their initialisers, annotations and metadata. Two kernels with the same
// hash compile to the same code under the same options; the database and the file of choices
// identify kernels by it.
//
// These are not part of the content: names (of the kernel and other definitions, values, types),
// linkage, debug information, the location that an assertion names, the chip, the order in the
// module, and what the kernel does not reach. Declarations are identified only by their names,
// because libdevice and the system calls belong to the toolchain. The kernel does not refer to
// functions that are called through pointers read from memory, so these are not part of the content
// either.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace regrain {

/// Returns the hashes of `kernels`, 32 hexadecimal digits each. Each function is encoded once,
/// however many kernels reach it.
[[nodiscard]] std::vector<std::string> hashKernels(const llvm::Module &device,
                                                   llvm::ArrayRef<const llvm::Function *> kernels);

/// Returns the hash of a kernel that is compiled for several __CUDA_ARCH__, from those of each
/// compile in the order of the architectures. If all are the same, it is that hash.
[[nodiscard]] std::string combineHashes(llvm::ArrayRef<std::string> hashes);

} // namespace regrain
