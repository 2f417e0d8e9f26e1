//===- Coordinates.h - Coordinates of a thread ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::amdgpu {

/// Defines nvvm_read_ptx_sreg_{tid,ntid,ctaid,nctaid}_{x,y,z} if the module calls them, with the
/// ranges that clang states for HIP. With code object version 5 sizes come from the implicit
/// arguments, with version 4 from the dispatch packet (LLVM's "User Guide for AMDGPU Backend"). All
/// blocks of a launch have the same size.
void defineCoordinates(llvm::Module &module, unsigned codeObjectVersion);

} // namespace regrain::amdgpu
