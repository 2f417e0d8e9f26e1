//===- InlineCalls.h - Kernels that call no functions -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ptxas's code for sm_90 has been wrong if one side of a branch calls a function and the kernel has
// local memory (docs/decisions/0049), so kernels make as few calls as possible.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// What becomes of `__noinline__` functions whose copies would be a large part of a kernel
/// (RepeatedFunctions.h).
enum class Repeated : uint8_t { Stay, AreInlined };

/// Makes LLVM inline the functions of `module` wherever they are called directly, even if they are
/// `__noinline__`, except for those that stay as `repeated` says. Recursive functions are kept, as
/// are those whose copies would make the module too large. What is called once is moved, not
/// copied, because functions become local to the module: only kernels are found by name. Call this
/// before libdevice is linked, because every compiler leaves its slow paths as calls.
void inlineCalls(llvm::Module &module, Repeated repeated);

/// Returns whether a function in `ptx`, which was written from `module`, has local memory and is or
/// calls one of those that have stayed.
[[nodiscard]] bool callsBesideLocalMemory(const llvm::Module &module, llvm::StringRef ptx);

/// Divides numbers of fewer than 32 bits as 32-bit numbers, because ptxas calls a routine of its
/// own for 16 bits. Call this after LLVM's passes, which narrow divisions.
void widenDivisions(llvm::Module &module);

} // namespace regrain::nvptx
