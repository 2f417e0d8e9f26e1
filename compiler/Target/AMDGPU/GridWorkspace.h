//===- GridWorkspace.h - The workspace of a cooperative launch --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"
#include <string>

namespace regrain::amdgpu {

/// Defines nvvm_read_ptx_sreg_envreg1 and envreg2, the halves of the workspace's address, if the
/// module calls them. The address is then the last parameter of each kernel
/// (runtime/image/grid_workspace.h).
void defineGridWorkspace(llvm::Module &module, llvm::ArrayRef<std::string> kernels);

} // namespace regrain::amdgpu
