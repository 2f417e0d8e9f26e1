//===- KernelHash.h - What a kernel's code is, in 128 bits ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The content of a kernel is its device IR as the frontend gives it and all that
// it reaches: functions, variables with their initialisers, what annotations and
// metadata ask for. Two kernels with the same hash compile to the same code under
// the same options; the database and the file of choices know kernels by it.
//
// Not part of the content: names (of the kernel and other definitions, values,
// types), linkage, debug information, the place and the function that an
// assertion names, the chip compiled for, the order in the module and what the
// kernel does not reach. Declarations are known by name alone: libdevice and the
// system calls belong to the toolchain. So are functions that are called through
// pointers read from memory, which a kernel does not refer to.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace regrain {

/// The hashes of `kernels`, 32 hexadecimal digits each. Each function is looked
/// at once, however many kernels reach it.
[[nodiscard]] std::vector<std::string> hashKernels(const llvm::Module &device,
                                                   llvm::ArrayRef<const llvm::Function *> kernels);

/// The hash of a kernel compiled for several __CUDA_ARCH__, from those of each
/// compile in the order of the architectures: where all are the same, that one.
[[nodiscard]] std::string combineHashes(llvm::ArrayRef<std::string> hashes);

} // namespace regrain
