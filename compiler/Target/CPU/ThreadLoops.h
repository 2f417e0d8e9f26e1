//===- ThreadLoops.h - Kernels as loops over threads ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is the fast path. Each region of a kernel (Regions.h) becomes a function that runs it for
// all threads of the block, x innermost, z outermost. The iterations are independent, except for
// atomic and volatile accesses, because threads between two barriers do not race. They are marked
// as independent for the vectoriser.
//
//   ThreadLoops  all threads take the same path from region to region; the path is
//                ordinary control flow between the regions' loops.
//   StateLoops   each thread has a state, which is the region that it runs next; the
//                library's scheduler releases threads by the hardware's rules.
//
// Legal for kernels in which all calls that depend on the thread were inlined, without loops that
// wait for other threads, and without arrival at barriers. If false is returned, the kernel is
// unchanged, or prepared for regions.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/CPU/CPU.h"
#include "compiler/Target/CPU/KernelEntry.h"
#include <optional>

namespace regrain::cpu {

/// Returns the run function of `kernel`, which is erased; nothing if neither path is legal. `path`
/// is ThreadLoops (used if legal) or StateLoops.
std::optional<KernelEntry> runAsLoops(llvm::Function &kernel, CPUPath path);

} // namespace regrain::cpu
