//===- Retarget.h - From nvptx64 to x86-64 ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes an x86-64 module of a device module, in place:
//   - triple and data layout; the two layouts agree on all types of CUDA;
//   - every pointer is in address space 0: shared variables have been lifted
//     (SharedMemory.h), the others keep their identity;
//   - NVVM annotations, target attributes, debug information and fast-math flags
//     go. Without `contract` and its like no operation is fused or reordered, so
//     that results equal plain C++ arithmetic and do not depend on the grain;
//   - parameters passed by value become pointers of which the callee makes its
//     own copy, where it writes to it or lets it escape;
//   - module variables get protected visibility, so that the modules of an image
//     share them and the runtime finds them; what a module defines that does not
//     own the variables (its string literals) becomes internal, like functions.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace regrain::cpu {

void retarget(llvm::Module &module, llvm::ArrayRef<std::string> kernels, bool ownsVariables,
              const llvm::TargetMachine &machine);

} // namespace regrain::cpu
