//===- Batch.h - Kernels compiled together and compared ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Specimen.h"
#include "runtime/image/grain.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace regrain::fuzz {

/// The outcome of a kernel at a grain.
enum class Verdict : uint8_t {
  Begun,     ///< in progress: the last word of a process that dies
  Same,      ///< it ran, and all bytes equal the original's
  Differs,   ///< it ran, and some bytes differ
  Faults,    ///< interpreted, it has a race or another fault, or differs
  Failed,    ///< it could not be compiled or run, and not for a reason of the kernel
  Refused,   ///< a transform or a target reports that it is not legal
  Misfit,    ///< the launch does not fit the grain
  NotRaised, ///< the kernel has no grain IR
  Confirmed, ///< interpreted, its result equals the original's; reported before Same
  Unable,    ///< it could not be interpreted; reported before Same
  Executed,  ///< lowered for an AMD GPU, `detail`, it equals the CPU's; before Same
  Waits,     ///< it does not end
};
std::string_view describe(Verdict verdict);

struct Outcome {
  uint32_t kernel = 0; ///< index into the batch
  std::string grain;   ///< SPEC; "original" if it concerns the whole kernel
  Verdict verdict = Verdict::Begun;
  std::string detail; ///< the reason, or the first difference; one line
};

/// The detail of Verdict::Same if the code was optimised as a user's is.
inline constexpr std::string_view optimisedCode = "-O3";

/// Returns whether a verdict means that a kernel or a grain of it is wrong.
bool isFinding(Verdict verdict);

/// A kernel and the grains to try. If there are none, they are drawn.
struct Subject {
  Specimen kernel;
  std::vector<Grain> grains;
};

struct BatchOptions {
  std::string headers;             ///< folder of our CUDA headers
  size_t grainsEach = 6;           ///< number to draw for a kernel
  unsigned interpreted = 10;       ///< percent of the kernels that are also interpreted; if the
                                   ///< threads cooperate, all are
  unsigned optimised = 20;         ///< percent optimised as a user's, with the original
  std::vector<std::string> amdgpu; ///< chips whose lowered code is also interpreted: "gfx90a"
};

/// Compiles the kernels as one file, runs each as original and at its grains,
/// and calls `report` before and after every step.
void runBatch(const std::vector<Subject> &subjects, const BatchOptions &options,
              const std::function<void(const Outcome &)> &report);

} // namespace regrain::fuzz
