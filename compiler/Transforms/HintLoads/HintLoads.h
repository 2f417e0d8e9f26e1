//===- HintLoads.h - What loads tell the caches -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   llvm.load %in[i]   =>   llvm.load %in[i] {nontemporal}   of data that the launch loads once
//                           llvm.load %in[i] invariant       of memory that the launch only reads
//
// `nontemporal` is a hint without an effect on values. A load has it if
// - it loads through a pointer parameter or from a module variable, and is neither volatile nor
//   atomic;
// - its address depends on every coordinate of blocks and threads that the kernel reads, and on
//   what each loop around it carries, by sums and products;
// - no other load through the same parameter or variable, except one in the other branch of a
//   condition, may access what this load or that of a neighbouring thread does.
// A wrong assumption about any of these costs only time.
//
// `invariant` is a promise that no thread of the launch writes the memory while the kernel runs, on
// which targets load through caches that do not see writes. A load of a parameter or variable has
// it if it is neither volatile nor atomic, and each write of the kernel to memory that outlives the
// block is of one of these kinds:
// - both memories are known to be different, such as two variables;
// - the load's parameter is `noalias`, and the write goes through another parameter or a variable.
//   `__restrict__` is the program's promise that nothing which the kernel modifies is also accessed
//   in another way; CUDA takes it for the whole launch ("Read-Only Data Cache Load Function" and
//   "__restrict__" in NVIDIA's CUDA C++ Programming Guide).
// A write through a pointer of unknown origin, or by a call or assembly that is not known to leave
// memory alone, may be to any memory. If the parameter is not `noalias`, neither may the kernel
// have a volatile or atomic access or a fence: it may wait for what another launch writes.
//
// Both hold for the program's kernel, and regrouping its blocks and threads changes neither.
//
// The transform is refused if no load of the kernel is marked.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Refusal/Refuse.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace regrain {

enum class LoadHint : uint8_t {
  LoadedOnce, ///< nontemporal
  OnlyRead,   ///< invariant
};

/// Returns the loads of `kernel` that can be marked.
[[nodiscard]] llvm::SmallVector<mlir::LLVM::LoadOp> findLoads(grain::KernelOp kernel,
                                                              LoadHint hint);

/// Marks these loads. If it is refused, nothing has changed.
[[nodiscard]] std::optional<Refusal> hintLoads(grain::KernelOp kernel, LoadHint hint);

} // namespace regrain
