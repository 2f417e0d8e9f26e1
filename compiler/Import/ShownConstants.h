//===- ShownConstants.h - Constants that are known by address ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read-only data is copied into each module that reads it. But a constant is one object of the
// program: if its address is compared, stored or passed on, all kernels have to see the same
// address.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"

namespace regrain {

/// Makes the address of a string literal significant if a variable's initial value contains it. A
/// literal may be a different object each time it is evaluated, but such an initial value is
/// evaluated only once.
void keepHeldAddresses(llvm::Module &module);

/// Returns the constants of `module` whose address is significant and may be seen.
llvm::SetVector<const llvm::GlobalVariable *> findShownConstants(const llvm::Module &module);

} // namespace regrain
