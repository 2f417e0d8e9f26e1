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
// The sizes are of the program's launch, whatever grain follows: they are in the
// nest, where sizes that later transforms ask for fold to them. A coordinate
// along which the launch has one block or thread is 0. Parameters keep their
// places, so that the launch passes the same arguments.
//
// Legality. The image says what an alternative is compiled for, and the runtime
// runs it where the launch is just that. Refused: an argument that the runtime
// could not compare, which is one that is not an integer of at most 64 bits; a
// value that a parameter cannot have; a nest that has been re-grained, whose
// coordinates are no longer the program's.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/Coarsening.h"

namespace regrain {

/// Puts what `known` says in place of sizes, coordinates and parameters. Else,
/// with the refusal, nothing has changed.
llvm::LogicalResult specialise(grain::KernelOp kernel, const KnownLaunch &known, Refusal &refusal);

} // namespace regrain
