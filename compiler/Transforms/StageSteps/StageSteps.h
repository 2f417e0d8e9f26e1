//===- StageSteps.h - Planes of a march in shared memory --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for k in 0..F { if (g(k, t)) f(a[k - 1][t], a[k][t - 1], a[k][t + 1], a[k + 1][t]) }
//     =>  copy the planes of step 0 to ring[0], ring[1], ring[2]
//         for k in 0..F {
//           barrier
//           copy the plane that step k + 1 adds, if any thread loads from it, to ring[(k + 3) % 4]
//           if (g(k, t)) f(ring[k % 4][t], ring[(k + 1) % 4][t - 1], ..., ring[(k + 2) % 4][t])
//         }
//
// The loop is one of a launched block over blocks of the program (`stepsAttribute` of
// CoarsenBlocks.h). What all threads load in all steps is a tile (Tiles.h), of which the steps are
// a dimension. A plane is the part of the tile at one place along it. The ring holds the planes
// that a step reads and some more, which are copied meanwhile, so each plane is read from global
// memory once. Which lines of a plane are copied, and from where to where, follows from the guards
// of the loads, in each block (PlaneCopy.h): blocks at the ends of an array do not differ.
//
// Legality.
// - A staged load is marked invariant: nobody writes what it reads while the kernel runs
//   (HintLoads.h). It is neither volatile, atomic nor nontemporal.
// - Its address is a polynomial of the number of the step, of coordinates and of values that are
// the
//   same for all threads (Addresses.h), without assumptions. It stands under conditions alone, of
//   which the threads that pass are a box (PassingThreads.h). So each element that a thread loads
//   in a step lies in a line, and between the ends, that are copied of its plane.
// - Lines of a tile lie along threads, and are not longer than a page.
// - The loop has a known number of steps and stands in the body of the threads under no condition,
//   so all threads meet at each barrier. It contains no barrier, no loop whose end is not known
//   when it begins, and no atomic or volatile access. No thread waits for another one but at
//   barriers, and nothing in the kernel may end the thread but its return.
// - A plane is copied behind the barrier at which all threads have read what was in its place, and
//   read behind the next, or behind a later one if several planes are copied ahead.
// - The number of threads is known, and the rings and the kernel's own arrays fit into the shared
//   memory that every kernel may declare. If rings lie in dynamic shared memory, they fit into what
//   the launch asks for, and the program uses none: its memory would begin at the same address.
//
// Inner loops of known length are unrolled before. Loads are staged if the loads of all threads are
// half as many again as the elements of the tile. The transform is refused if there are none. It
// comes before threads are joined: each thread is one of the program's, whose guards can be taken
// apart.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Refusal/Refuse.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include <optional>

namespace regrain {

/// The attribute of a loop over steps that reads from rings.
inline constexpr llvm::StringLiteral ringsAttribute = "grain.rings";

/// How rings are made.
struct RingForm {
  bool inBulk = false;       ///< only loads are staged of which whole rows can be copied at once
  int64_t ahead = 1;         ///< planes that are copied ahead
  uint64_t dynamicBytes = 0; ///< of dynamic shared memory, in which rings lie; 0: they are static
};

/// Stages loads in the loops of `kernel` over steps. If it is refused, nothing has changed.
/// `patterns` are those of the clean-up.
[[nodiscard]] std::optional<Refusal> stageSteps(grain::KernelOp kernel, const RingForm &form,
                                                const mlir::FrozenRewritePatternSet &patterns);

} // namespace regrain
