//===- FlatRows.h - Rows of a flat index ------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that gives each element a thread of a launch in one dimension, and divides the thread's
// number by the length of a row, has neighbouring elements a row apart. A block of 1024 threads
// then takes 32 elements of each of 32 rows, in place of 1024 elements of one:
//
//   i = block * 1024 + t   =>   first = block * 1024 / (32 * length) * (32 * length)
//                               i = first + t / 32 * length + (block * 1024 - first) / 32 + t % 32
//
// Legality. Each number is taken by one thread: where the length is a multiple of 32, the blocks of
// 32 rows take the numbers of these rows. Rows that the launch does not fill, and other lengths,
// keep their numbers. What the length is makes no difference otherwise, so it is a guess from how
// an address is formed. It must not matter which threads share a block (ReshapeBlocks.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace regrain {

/// The lanes of a warp, and the rows of a block.
inline constexpr int64_t flatSide = 32;

/// Returns the sum that is the number of a thread in x, if the block has flatSide * flatSide
/// threads and nothing else reads coordinates in x; otherwise null.
[[nodiscard]] mlir::arith::AddIOp findFlatIndex(grain::ThreadsOp threads);

/// Returns the length of rows from which the elements at `address` are neighbours, each of `bytes`:
/// by what `index` is divided. Returns null if there is none that is the same for all blocks.
[[nodiscard]] mlir::Value findRowLength(mlir::Value address, int64_t bytes, mlir::Value index,
                                        const mlir::DataLayout &layout);

/// Lets the blocks take tiles of rows.
void foldIntoTiles(mlir::arith::AddIOp index, mlir::Value length);

} // namespace regrain
