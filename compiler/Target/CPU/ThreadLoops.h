//===- ThreadLoops.h - Kernels as loops over threads ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fast path. Each region of a kernel (Regions.h) becomes a function that
// runs it for all threads of the block, x innermost, z outermost. Iterations are
// independent, atomics and volatile accesses excepted: threads between two
// barriers do not race. They are marked so for the vectoriser.
//
//   ThreadLoops  all threads take the same way from region to region; the way is
//                ordinary control flow between the regions' loops.
//   StateLoops   each thread has a state, the region that it runs next; the
//                library's scheduler releases threads by the hardware's rules.
//
// Legal for kernels all of whose calls that depend on the thread were inlined,
// without loops that wait for other threads, without arrival at barriers. Where
// false is returned the kernel is unchanged, or prepared for regions.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/CPU/CPU.h"
#include "compiler/Target/CPU/KernelEntry.h"
#include <optional>

namespace regrain::cpu {

/// The run function of `kernel`, which is erased; nothing where neither path is
/// legal. `path`: ThreadLoops, where legal, or StateLoops.
std::optional<KernelEntry> runAsLoops(llvm::Function &kernel, CPUPath path);

} // namespace regrain::cpu
