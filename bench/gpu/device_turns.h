//===- device_turns.h - Processes take turns on a GPU -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_BENCH_GPU_DEVICE_TURNS_H
#define REGRAIN_BENCH_GPU_DEVICE_TURNS_H

namespace turns {

/// Lets this process wait for the file `lock` in front of its launches, copies
/// and fills, and give it back when it has called nothing for a while and its
/// work has ended. Returns false if CUPTI's callbacks are not usable.
bool take(const char *lock);

/// How often the process got its turn.
long taken();

} // namespace turns

#endif
