//===- Replay.h - Whether a launch can be repeated --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tuning runs a launch repeatedly on the same memory. That is useless or harmful if the kernel has
// effects that restoring memory does not undo:
// - it prints;
// - it allocates or frees memory on the device;
// - it waits for another thread, which may belong to something that runs beside it; a wait in
//   shared memory is ended by the launch itself. Functions that stay calls count as waiting if they
//   loop or recur and see what other threads do;
// - it stores the time;
// - it writes through a surface, whose array the runtime cannot save;
// - it contains inline assembly with such effects, or with unknown ones.
//
// Assertions and traps are no obstacle: if one fires, the program's own launch has failed before.
// Nor are volatile accesses and calls through pointers: they reach the memory of the device, which
// is compared and restored. For a call through a pointer, every function of the module whose
// address is taken counts as called. Whether the host can see memory is determined when the program
// runs.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "llvm/IR/Function.h"
#include <optional>
#include <string>

namespace regrain {

/// Returns why launches of `kernel` cannot be repeated, with the source position; nothing if no
/// obstacle is found. This does not look for waits and stored times.
[[nodiscard]] std::optional<std::string> whyNotReplayable(const llvm::Function &kernel);

/// Returns the same for waits and stored times, which the grain IR shows. `functions` defines what
/// the kernel calls.
[[nodiscard]] std::optional<std::string> whyNotReplayable(grain::KernelOp kernel,
                                                          const llvm::Module &functions);

/// Returns whether `kernel`, or what it reaches, may allocate memory on the device, which outlives
/// the launch and is in no list of allocations.
[[nodiscard]] bool mayAllocate(const llvm::Function &kernel);

/// Returns whether `kernel`, or what it reaches, has a fence or an atomic operation of system
/// scope, by which the host or another device may take part while it runs.
[[nodiscard]] bool usesSystemScope(const llvm::Function &kernel);

/// Returns whether `kernel`, or what it reaches, may read how much shared memory its launch has.
[[nodiscard]] bool readsSharedSize(const llvm::Function &kernel);

} // namespace regrain
