//===- Replay.h - Whether a launch can be repeated --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tuning runs a launch again and again on the same memory. That shows nothing, or
// does harm, where the kernel has effects that restoring memory does not take back:
//   - it prints;
//   - it allocates or frees memory on the device;
//   - it orders or updates memory together with the host or other devices (fences
//     and atomic operations of system scope);
//   - it waits for another thread, which may belong to something that runs beside it;
//   - it stores the time;
//   - it has inline assembly of such effects, or of unknown ones.
// Assertions and traps are no obstacle: where one fires, the program's own launch
// has failed before. Nor are volatile accesses and calls through pointers: they
// reach the memory of the device, which is compared and restored. Of a call through
// a pointer, every function of the module whose address is taken counts as called.
// What the host can see of memory is found when the program runs.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "llvm/IR/Function.h"
#include <string>

namespace regrain {

/// Why launches of `kernel` cannot be repeated, with the place in it; empty where
/// nothing that it reaches speaks against it. Waits and times are not looked for.
[[nodiscard]] std::string whyNotReplayable(const llvm::Function &kernel);

/// The same for waits and times, which its grain IR shows.
[[nodiscard]] std::string whyNotReplayable(grain::KernelOp kernel);

/// Whether `kernel`, or what it reaches, may allocate memory on the device, which lives on
/// after the launch and is in no list of allocations.
[[nodiscard]] bool mayAllocate(const llvm::Function &kernel);

} // namespace regrain
