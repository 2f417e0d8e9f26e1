//===- KernelDescriptor.h - What a code object says of a kernel -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace regrain::amdgpu {

/// Returns the bytes of the kernel descriptor of `symbol` except the offset of its code; empty if
/// the code object has none (LLVM, "User Guide for AMDGPU Backend", "Kernel Descriptor").
llvm::Expected<std::string> kernelDescriptor(llvm::ArrayRef<char> object, llvm::StringRef symbol);

} // namespace regrain::amdgpu
