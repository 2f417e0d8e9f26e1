//===- entry.h - The frame of every API entry -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/cuda_runtime_api.h"
#include "runtime/core/gate.h"
#include "runtime/core/thread_state.h"

#include <new>

namespace regrain {

/// Whether a status says that a call failed, and so becomes the thread's last error.
/// cudaErrorNotReady is an answer.
inline bool isFailure(cudaError_t status) {
  return status != cudaSuccess && status != cudaErrorNotReady;
}
/// The program cannot have memory that it asks for. Tuning takes some, in the process and on the
/// device, so a process that tunes ends, to be started again without.
void endWhereTuned() noexcept;

/// Runs the body of an API entry: keeps its error as the thread's last error,
/// and lets no exception out. While a launch is sampled it waits.
template <typename Body> cudaError_t entry(Body body) noexcept {
  Gate::Passage passage;
  cudaError_t status = cudaErrorUnknown;
  try {
    status = body();
  } catch (const std::bad_alloc &) {
    status = cudaErrorMemoryAllocation;
  } catch (...) {
    status = cudaErrorUnknown;
  }
  if (status == cudaErrorMemoryAllocation)
    endWhereTuned();
  if (isFailure(status))
    ThreadState::get().lastError = status;
  return status;
}

/// The same for a body that works on the thread's device and what is known of it.
template <typename Body> cudaError_t onOpenDevice(Body body) noexcept {
  return entry([&] {
    OpenDevice *current = nullptr;
    cudaError_t status = currentDevice(current);
    return status == cudaSuccess ? body(*current) : status;
  });
}

/// The same for a body that works on the thread's device.
template <typename Body> cudaError_t onDevice(Body body) noexcept {
  return onOpenDevice([&](OpenDevice &current) { return body(*current.device); });
}

/// For an entry that is declared and not provided: says so when verbose.
cudaError_t notSupported(const char *name) noexcept;

} // namespace regrain
