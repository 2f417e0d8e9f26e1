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

/// What became of a kernel at a grain.
enum class Verdict : uint8_t {
  Begun,     ///< is being tried: the last word of a process that dies
  Same,      ///< ran, and all bytes are the original's
  Differs,   ///< ran, and some are not
  Faults,    ///< interpreted, it has a race or another fault, or does not do what the original does
  Failed,    ///< could not be compiled or run, without a reason that is the kernel's
  Refused,   ///< a transform or a target says that it is not legal
  Misfit,    ///< the launch does not fit the grain
  NotRaised, ///< the kernel has no grain IR
  Confirmed, ///< interpreted, it does what the original does; a word before Same
  Unable,    ///< it could not be interpreted; likewise
  Executed,  ///< as lowered for an AMD GPU, `detail`, it does what the CPU does; likewise
  Waits,     ///< it does not end
};
std::string_view describe(Verdict verdict);

struct Outcome {
  uint32_t kernel = 0; ///< index into the batch
  std::string grain;   ///< SPEC; "original" for what concerns the whole kernel
  Verdict verdict = Verdict::Begun;
  std::string detail; ///< the reason, or the first difference; one line
};

/// The detail of Verdict::Same where the code was optimised as a user's is.
inline constexpr std::string_view optimisedCode = "-O3";

/// What a verdict says is wrong with a kernel or a grain of it.
bool isFinding(Verdict verdict);

/// A kernel and the grains to try. Without grains they are drawn.
struct Subject {
  Specimen kernel;
  std::vector<Grain> grains;
};

struct BatchOptions {
  std::string headers;             ///< folder of our CUDA headers
  size_t grainsEach = 6;           ///< to be drawn for a kernel
  unsigned interpreted = 10;       ///< percent of the kernels that are interpreted as well;
                                   ///< those whose threads cooperate all are
  unsigned optimised = 20;         ///< percent that are optimised as a user's are, the original too
  std::vector<std::string> amdgpu; ///< chips whose lowered code is interpreted as well: "gfx90a"
};

/// Compiles the kernels as one file, runs each as original and at its grains,
/// and tells `report` before and after every step.
void runBatch(const std::vector<Subject> &subjects, const BatchOptions &options,
              const std::function<void(const Outcome &)> &report);

} // namespace regrain::fuzz
