//===- error.cpp - Errors of the runtime API ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/error_text.h"
#include "runtime/core/settings.h"
#include "runtime/cudart/entry.h"
#include "runtime/tuning/tune_request.h"

#include <cstdio>
#include <unistd.h>

using namespace regrain;

void regrain::endWhereTuned() noexcept {
  if (!Gate::isGuarded())
    return;
  say("the program ran out of memory while it was tuned; regrain tune starts it again without "
      "tuning");
  std::fflush(nullptr);
  _exit(withoutTuningExitCode);
}

cudaError_t regrain::notSupported(const char *name) noexcept {
  return entry([&] {
    sayVerbose(std::string(name) + " is not supported");
    return cudaErrorNotSupported;
  });
}

cudaError_t cudaGetLastError() {
  ThreadState &thread = ThreadState::get();
  cudaError_t error = thread.lastError;
  thread.lastError = cudaSuccess; // even of a failed device, whose calls continue to fail
  return error;
}

cudaError_t cudaPeekAtLastError() { return ThreadState::get().lastError; }

const char *cudaGetErrorName(cudaError_t error) { return describe(error).name; }

const char *cudaGetErrorString(cudaError_t error) { return describe(error).text; }
