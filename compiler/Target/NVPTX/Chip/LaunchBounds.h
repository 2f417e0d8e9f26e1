//===- LaunchBounds.h - Bounds of a kernel's registers ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Refusal/Refusal.h"
#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// Bounds the registers of kernels. A bound on the kernel itself takes precedence over launch
/// bounds, and these over -maxrregcount, as with nvcc. `registers` is 0 if ptxas is given the
/// limit.
///
/// The attribute regrain-blocks-per-sm becomes `.minnctapersm`, in place of the program's own.
/// ptxas computes the registers from it and from the threads of the largest block, and ignores it
/// if that is not known. So kernels without a bound of their block are refused, and so are those of
/// which the multiprocessors of `arch` ("sm_90"; empty if any chip may run the code) have no room
/// for so many blocks.
void boundRegisters(llvm::Module &module, llvm::ArrayRef<std::string> kernels, unsigned registers,
                    llvm::StringRef arch, RefusedKernels &refused);

} // namespace regrain::nvptx
