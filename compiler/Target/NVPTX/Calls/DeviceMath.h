//===- DeviceMath.h - Definitions for __nv_ functions -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/NVPTX/Toolkit.h"
#include "llvm/IR/Module.h"

namespace regrain::nvptx {

enum class MathSource { None, Libdevice, Libclc };

/// Links definitions for the math functions that `module` calls, as clang links libdevice: only
/// what is needed, with internal linkage and the attributes of the module's own functions. A
/// function that neither library has stays a declaration. Returns which library was used; fails if
/// its file cannot be read.
llvm::Expected<MathSource> linkDeviceMath(llvm::Module &module, const Toolkit &toolkit);

/// Turns calls of __nv_ functions into intrinsics and, if libclc is available, into its functions,
/// which remain to be linked. Returns whether there are any.
llvm::Expected<bool> mapMathToLibclc(llvm::Module &module, bool haveLibclc);

/// Answers libdevice's question whether square roots of floats are exact. LLVM answers questions
/// about denormals and the chip alone, and to all others "no": then sqrtf and what uses it would be
/// approximate.
void answerForRoots(llvm::Module &module, bool areExact);

} // namespace regrain::nvptx
