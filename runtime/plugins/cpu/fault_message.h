//===- fault_message.h - Where a kernel failed ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plugins/cpu/abi.h"

#include <cstdint>
#include <string>

namespace regrain::cpu {

/// Returns the kernel, with its grain if it is not the original, the launched block, what
/// is known of the thread, and the source line of the instruction if the code has line
/// tables: "kernel f(int*), block (3,0,0), one of the threads (0..63,1,0), at f.cu:12".
[[nodiscard]] std::string describePlace(const RegrainCpuKernel &kernel,
                                        const RegrainCpuBlock &block, uintptr_t instruction);

/// Returns the block and the thread, if it is known, as CUDA's assert prints them.
[[nodiscard]] std::string describeAsserting(const RegrainCpuBlock &block);

} // namespace regrain::cpu
