//===- DeviceLibrary.h - The CPU's device library ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device library consists of the C files in Library/, as bitcode in the compiler.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace regrain::cpu {

/// Links the functions that `module` declares and the library defines, with internal linkage, and
/// the functions of Continuations.c and Scheduler.c that code generation calls. Plain math names
/// ("sinf") are treated as libdevice's ("__nv_sinf"). A function whose type differs from the
/// library's stays undefined.
llvm::Error linkDeviceLibrary(llvm::Module &module);

/// Returns true for a function that came from the library.
bool isLibraryFunction(const llvm::Function &function);

/// Lets a function that is not the program's count as one of the library.
void markAsLibrary(llvm::Function &function);

} // namespace regrain::cpu
