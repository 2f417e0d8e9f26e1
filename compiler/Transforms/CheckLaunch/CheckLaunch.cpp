//===- CheckLaunch.cpp - Whether a kernel at a grain can be launched ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CheckLaunch/CheckLaunch.h"

#include "compiler/Transforms/Coarsening.h"

#include "compiler/Dialect/Grain/Parameters.h"
#include "runtime/image/launch_limits.h"

using namespace mlir;
using namespace regrain;

/// Checks that the warps are whole if the launched block is known.
static std::optional<Refusal> checkWarps(grain::BlocksOp blocks) {
  grain::ThreadsOp threads = blocks.threads();
  auto block = blocks.getKnownBlock();
  if (!threads.getWholeWarps() || !block ||
      ((*block)[0] % warpThreads == 0 && *threads.getKnownIterations(0) % warpThreads == 0))
    return std::nullopt;
  return refuse(threads, RefusalKind::PartialWarps,
                "the grain needs blocks whose width is a multiple of 32");
}

/// Checks the size of the parameters: a launch at the grain passes `appended` in addition to the
/// program's.
static std::optional<Refusal> checkParameters(grain::KernelOp kernel, ArrayRef<Type> appended) {
  if (appended.empty())
    return std::nullopt;
  bool isPortable = grain::parameterBytes(kernel) <= grain::portableParameterBytes;
  uint64_t limit = isPortable ? grain::portableParameterBytes : grain::mostParameterBytes;
  uint64_t bytes = grain::parameterBytes(kernel, appended);
  if (bytes <= limit)
    return std::nullopt;
  return refuse(kernel, RefusalKind::ParameterLimit,
                "with the parameters that the grain adds the kernel has " + llvm::Twine(bytes) +
                    " bytes of them, and a launch can pass " + llvm::Twine(limit));
}

std::optional<Refusal> regrain::checkLaunch(grain::KernelOp kernel) {
  grain::BlocksOp blocks = kernel.blocks();
  if (auto refusal = checkWarps(blocks))
    return refusal;
  return checkParameters(kernel, grain::appendedParameters(blocks));
}
