//===- KeepInStep.h - Launched blocks that wait for each other --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for s in 0..S { barrier; ... }
//     =>  begun = 0
//         for s in 0..S {
//           if (the first thread)
//             until begun >= s * blocks + block - ahead, for a bounded time: begun = *word
//           barrier
//           if (the first thread)
//             begun = atomically (*word)++
//           ...
//         }
//         if (the first thread && begun + 1 == blocks * S) *word = 0
//
// The steps of a launch have an order: step by step, and in each the launched blocks by number. A
// step begins when all steps but `ahead` of those that lie before it have begun, so blocks that
// march through an array read it nearly in the order of its addresses. One word in global memory
// counts the steps that have begun. The runtime lends it to a launch with the value 0, and the last
// step of the launch gives it this value again. A thread reads the word for its next step when it
// counts a step, so it rarely waits.
//
// Legality. Nothing depends on the order:
// - A wait reads the word so many times at most, and a block that has waited in vain does not wait
//   again. So a block ends whatever the word is, and whether or not the others run.
// - The word is not the program's memory. It is accessed by atomic operations alone, which order
//   nothing else.
// - Each launched block runs the loop once, and all of its steps: the loop stands in the body of
//   the threads under no condition, has a known number of steps, and no thread ends in front of it
//   (StageSteps.h). So the counts of a launch add up to all of its steps, and behind the last one
//   nobody reads the word.
//
// The transform comes last, since no other one has to know such waits. It is refused if there is
// not exactly one march with rings.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Refusal/Refusal.h"
#include <optional>

namespace regrain {

/// Lets the blocks of `kernel` keep in step. If it is refused, nothing has changed.
[[nodiscard]] std::optional<Refusal> keepInStep(grain::KernelOp kernel, uint32_t ahead);

} // namespace regrain
