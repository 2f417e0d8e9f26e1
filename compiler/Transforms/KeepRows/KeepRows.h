//===- KeepRows.h - Rows of global memory in registers ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = tx; i < 2048; i += 1024) { v = x[i] + y[i]; x[i] = v; s += v * v; }
//   ... barriers ...
//   for (i = tx; i < 2048; i += 1024) z[i] = x[i] * f
//     =>  x[tx] = v0 = x[tx] + y[tx]; ... x[tx + 1024] = v1 = ...
//         ... barriers ...
//         z[tx] = v0 * f; z[tx + 1024] = v1 * f
//
// Loops that touch memory which another loop reads are unrolled completely, and loads of what the
// thread has loaded or stored before go. Copies of structures are loads, too (SplitCopies.h).
//
// Legality. A loop is unrolled if each of its conditions has one known value for all threads
// (AffineForms): the launched block and the length of the row are known. Loads go where
// ForwardMemory.h says that it is legal, over barriers as well: if a thread of the block may write
// an element in between, its loads stay.
//
// The transform is refused if no whole row is read again from registers, or if the rows would leave
// too few registers for anything else.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Refusal/Refuse.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include <optional>

namespace regrain {

/// Keeps what loops of `kernel` read again in registers, where a launched thread will run `joined`
/// threads of the program; `patterns` are those of cleanUp. If it is refused, nothing has changed.
[[nodiscard]] std::optional<Refusal> keepRows(grain::KernelOp kernel, unsigned joined,
                                              const mlir::FrozenRewritePatternSet &patterns);

/// Returns whether a loop of the kernel may read what an earlier one has read or written, whatever
/// the launch is.
[[nodiscard]] bool readsRowsAgain(grain::KernelOp kernel);

} // namespace regrain
