//===- LibraryCalls.h - Intrinsics as calls of a device library -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This serves targets that have a library of device functions in place of NVIDIA's.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Instructions.h"
#include <string>

namespace regrain {

/// Returns the name of the library function for an intrinsic: nvvm_add_rm_f for
/// "llvm.nvvm.add.rm.ftz.f".
std::string libraryNameFor(llvm::StringRef intrinsic);

/// Calls `name` with the operands of `call`, before it. A structure of value and predicate is
/// returned packed in 64 bits.
llvm::Value *callLibrary(llvm::CallInst &call, llvm::StringRef name);

/// Returns the value that replaces the call of an intrinsic llvm.nvvm.*, built before it: plain
/// instructions for conversions between address spaces, cached loads and atomics (sequentially
/// consistent, of system scope), else a call of the library. Returns null if the library can have
/// no such function.
llvm::Value *lowerNVVM(llvm::CallInst &call);

/// Replaces `call` by `value`.
void replaceCall(llvm::CallInst &call, llvm::Value *value);

/// Returns the answer of __nvvm_reflect: the architecture of the device compile, whether the target
/// has matrix cores for mma.sync, and that subnormals are kept.
llvm::Value *reflectedValue(llvm::CallInst &call, bool hasMatrixCores = false);

} // namespace regrain
