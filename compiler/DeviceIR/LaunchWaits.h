//===- LaunchWaits.h - Waits for the launch in front ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch may begin before the one in front of it in the stream has ended
// (cudaLaunchAttributeProgrammaticStreamSerialization). Its kernel then waits for that by
// `griddepcontrol.wait` (cudaGridDependencySynchronize) before it uses what others wrote, and
// before it writes what others read. A launch may always wait earlier, or when it need not:
// beginning early is only permitted.
//
// So grains have no waits in the midst of their code, which would order all of its accesses. The
// import takes them out, and the export puts one in front of the first access to memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"

namespace regrain {

/// Removes the waits of the kernel, and marks it if it had any.
void takeLaunchWaits(llvm::Function &kernel);

/// Gives a kernel with the mark one wait, where all threads come to it and no access to memory is
/// in front of it. Hints to caches are no accesses, nor are hints to the launch behind, all of
/// which stand behind the wait if one may have done so before. Of several such hints in a block,
/// which joined threads have, one stays.
void putLaunchWait(llvm::Function &kernel);

/// Returns whether the function has a wait.
[[nodiscard]] bool hasLaunchWait(const llvm::Function &function);

} // namespace regrain
