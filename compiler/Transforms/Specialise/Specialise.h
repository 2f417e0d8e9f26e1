//===- Specialise.h - A kernel for launches that are known ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   grain.kernel @k(%p, %n: i32) { grain.blocks (%b) { grain.threads (%t) { f(block_size, %n, %p) }
//   } }
//     =>  grain.kernel @k(%p, %n: i32) {
//           grain.blocks (%b) attributes {known_block = [64, 1, 1]} {
//             grain.threads (%t) { f(64, 2048, %p) } } }
//
// The sizes are those of the program's launch, whatever grain follows. They are noted on the nest,
// where sizes that later transforms ask for fold to them. A coordinate in a dimension with one
// block or thread is 0. Parameters keep their positions, so that the launch passes the same
// arguments. The alignment of pointers is noted on the parameters (`llvm.align`), which Export
// keeps. Of an argument that is a multiple, the low bits are masked: from there on, LLVM knows to
// what an address is aligned that is computed from it.
//
// Of arguments in different allocations, the parameters say so (`grain.disjoint`), and those are
// `noalias` for which that is true in LLVM's sense, where one thread counts.
//
// Legality. The image says which launches an alternative is compiled for, and the runtime runs it
// only for these. The transform refuses an argument that the runtime could not compare (one that is
// not an integer of at most 64 bits), a value that a parameter cannot have, an alignment if no
// parameter is a pointer, different allocations if nothing follows from them for the kernel
// (DisjointArguments.h), and a nest that has been re-grained, whose coordinates are no longer the
// program's. Pointers in structures are not parameters: nothing is known of them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/Coarsening.h"

namespace regrain {

/// Replaces sizes, coordinates and parameters by what `known` says, and notes what is divisible. If
/// it is refused, nothing has changed.
[[nodiscard]] std::optional<Refusal> specialise(grain::KernelOp kernel, const KnownLaunch &known);

} // namespace regrain
