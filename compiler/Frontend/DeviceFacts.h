//===- DeviceFacts.h - Kernels and variables of a device module -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Frontend/Frontend.h"

namespace regrain {

/// Returns the name that the source gives a kernel: without what clang appends to the symbol of one
/// that is local to its file if the device code is relocatable.
std::string nameOfKernel(llvm::StringRef symbol);

/// Returns the kernels that `device` defines, in the order of the module.
std::vector<DeviceKernel> findKernels(const llvm::Module &device);

/// Returns the variables that hold state or that the program can name: those of the global and the
/// constant address space, without the module's own constants (strings, initialisers of local
/// arrays).
std::vector<DeviceVariable> findVariables(const llvm::Module &device);

/// Returns the functions that some kernel can reach, including the kernels. A function whose
/// address is in an initialiser counts as reached.
std::vector<const llvm::Function *> findReachable(const llvm::Module &device,
                                                  llvm::ArrayRef<DeviceKernel> kernels);

} // namespace regrain
