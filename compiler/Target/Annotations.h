//===- Annotations.h - nvvm.annotations of a kernel -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// The number under `key` ("maxntidx"), 0 where there is none.
unsigned annotation(const llvm::Function &kernel, llvm::StringRef key);

void annotate(llvm::Function &kernel, llvm::StringRef key, unsigned value);

/// Removes everything that is said of `kernel`, its being a kernel included.
void dropAnnotations(llvm::Function &kernel);

/// Threads per block that the launch bounds allow, 0 without bounds.
unsigned boundThreads(const llvm::Function &kernel);

/// The same for figures of a block: 256 without bounds.
unsigned blockThreads(const llvm::Function &kernel);

} // namespace regrain
