//===- Annotations.h - nvvm.annotations of a kernel -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Returns the number under `key` ("maxntidx"); 0 if there is none.
unsigned annotation(const llvm::Function &kernel, llvm::StringRef key);

void annotate(llvm::Function &kernel, llvm::StringRef key, unsigned value);

/// Removes all annotations of `kernel`, including the one that makes it a kernel.
void dropAnnotations(llvm::Function &kernel);

/// Returns the threads per block that the launch bounds allow; 0 without bounds.
unsigned boundThreads(const llvm::Function &kernel);

/// Returns the threads per block for which figures are computed: the same, but 256 without bounds.
unsigned blockThreads(const llvm::Function &kernel);

} // namespace regrain
