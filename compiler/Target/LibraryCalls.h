//===- LibraryCalls.h - Intrinsics as calls of a device library -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For targets that have a library of device functions in place of NVIDIA's.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Instructions.h"
#include <string>

namespace regrain {

/// The library function that stands for an intrinsic: "llvm.nvvm.add.rm.ftz.f"
/// is nvvm_add_rm_f.
std::string libraryNameFor(llvm::StringRef intrinsic);

/// Calls `name` with the operands of `call`, in front of it; a structure of value
/// and predicate comes back packed in 64 bits.
llvm::Value *callLibrary(llvm::CallInst &call, llvm::StringRef name);

/// The value that stands for the call of an intrinsic llvm.nvvm.*, built in front of
/// it: plain instructions for conversions between address spaces, cached loads and
/// atomics (sequentially consistent, of the whole system), else a call of the
/// library. Null where the library can have no such function.
llvm::Value *lowerNVVM(llvm::CallInst &call);

/// Puts `value` in place of `call`.
void replaceCall(llvm::CallInst &call, llvm::Value *value);

/// What __nvvm_reflect answers: the architecture of the device compile; denormals kept.
llvm::Value *reflectedValue(llvm::CallInst &call);

} // namespace regrain
