//===- ShownConstants.h - Constants that are known by address ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read-only data is copied into each module that reads it. A constant is one object of
// the program all the same: where its address is compared, stored or passed on, all
// kernels have to see the same one.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"

namespace regrain {

/// A string literal may be another object each time it is evaluated, but where a variable holds
/// its address, that is evaluated once: gives such addresses a meaning.
void keepHeldAddresses(llvm::Module &module);

/// The constants of `module` whose address has a meaning, and may be seen.
llvm::SetVector<const llvm::GlobalVariable *> findShownConstants(const llvm::Module &module);

} // namespace regrain
