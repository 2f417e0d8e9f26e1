//===- PlaneCopy.h - The copy of a plane into a ring ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plane is what a block loads of a tile at one place along the steps of a march. Each of its
// lines is copied from the first element that a thread loads to the last one, in whole pieces of 16
// bytes if lines are aligned.
//
// Legality. Both elements are loaded by threads of the block in steps that run: the boxes of
// threads that pass the guards of the loads tell which ones (PassingThreads.h). What lies between
// them and is loaded by nobody, and what fills the pieces at the ends, is copied and not read. A
// line is no longer than a page, so all of this lies in pages from which the program loads.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/StageLoads/FillTile.h"
#include "compiler/Transforms/StageSteps/PassingThreads.h"

namespace regrain {

/// Loads that read neighbouring elements of one line, by threads that pass one guard.
struct LineLoads {
  PassingThreads passing;
  TilePlace first;   ///< of the thread whose coordinates are 0; along the steps, planes ahead
  int64_t low, high; ///< elements of the line that this thread loads first and last
};

/// A tile of which a block marches through planes.
struct MarchedTile {
  Tile tile;  ///< of all steps
  Tile plane; ///< the same with one plane
  std::vector<LineLoads> loads;
  int64_t ahead; ///< planes that are copied ahead

  /// Returns the number of planes that a step reads.
  [[nodiscard]] int64_t span() const;
  /// Returns the number of planes in shared memory: those of a step, and those ahead.
  [[nodiscard]] int64_t places() const { return span() + ahead; }
  [[nodiscard]] int64_t planes() const { return tile.extent[stepDimension]; }
  /// Returns how far the last line goes beyond its distance from a next one, in elements.
  [[nodiscard]] int64_t tail() const;
  [[nodiscard]] uint64_t bytes() const; ///< of shared memory
};

/// Lets lines of a tile that are copied at once follow each other as closely as their places in
/// lines of memory allow: a line begins in front of where the one before it ends.
void closeUp(Tile &tile);

/// Creates the copy of the plane with this number to `shared`. `counter` is that of the steps.
void copyPlane(mlir::OpBuilder &builder, const MarchedTile &marched, mlir::Value shared,
               mlir::Value number, mlir::Value counter, Filling &filling);

} // namespace regrain
