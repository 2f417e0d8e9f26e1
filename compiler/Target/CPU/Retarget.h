//===- Retarget.h - From nvptx64 to x86-64 ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a device module into an x86-64 module, in place:
// - The triple and data layout change; the two layouts agree on all types of CUDA.
// - Every pointer is in address space 0: shared variables have been lifted (SharedMemory.h), the
//   others keep their identity.
// - NVVM annotations, target attributes, debug information and fast-math flags are removed. Without
//   `contract` and similar flags no operation is fused or reordered, so that results equal plain
//   C++ arithmetic and do not depend on the grain.
// - By-value parameters become pointers, and the callee copies the value if it writes to it or lets
//   it escape.
// - Module variables get protected visibility, so that the modules of an image share them and the
//   runtime finds them. In a module that does not own the variables, definitions (its string
//   literals) become internal, like functions.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Target.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace regrain::cpu {

void retarget(llvm::Module &module, llvm::ArrayRef<std::string> kernels, bool ownsVariables,
              DebugInfo debugInfo, const llvm::TargetMachine &machine);

} // namespace regrain::cpu
