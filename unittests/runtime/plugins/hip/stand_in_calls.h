//===- stand_in_calls.h - Entry points of the stand-in ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REGRAIN_STAND_IN_VERSION is 100 * major + minor of the emulated HIP; later functions are
// absent.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "unittests/runtime/plugins/cpu_backend.h"
#include "unittests/runtime/plugins/hip/stand_in.h"

#include <mutex>

using namespace regrain::hip;

inline constexpr bool hasAbi6 = REGRAIN_STAND_IN_VERSION >= 600;
inline constexpr bool hasAbi7 = REGRAIN_STAND_IN_VERSION >= 700;

extern "C" {
#define REGRAIN_HIP_CALL(result, name, symbol, parameters)                                         \
  __attribute__((visibility("default"))) result standIn_##name parameters __asm__(symbol);
#include "runtime/plugins/hip/hip_api.def"
}

/// Returns the mutex of the record.
std::mutex &recordLock();

/// Records the call; if a test has set a result for it, stores it to `result` and
/// returns true.
bool isAnswered(const char *symbol, HipResult &result);

inline HipResult asHip(cudaError_t status) { return static_cast<HipResult>(status); }

/// Records the call, and executes `body` unless a test has set another result.
template <typename Body> HipResult answer(const char *symbol, Body body) {
  HipResult result = HipResult::Success;
  return isAnswered(symbol, result) ? result : asHip(body());
}

/// Does the same for a call that makes an object, or releases one (-1) that
/// `maker` made.
template <typename Body>
HipResult answerCounted(const char *symbol, const char *maker, int change, Body body) {
  HipResult result = answer(symbol, body);
  std::lock_guard lock(recordLock());
  if (result == HipResult::Success)
    hipStandIn().live[maker] += change;
  return result;
}

/// Does the same for a call that takes a stream. Before 7, the error for an invalid stream
/// differs from CUDA's.
template <typename Body> HipResult answerOn(HipStream stream, const char *symbol, Body body) {
  {
    std::lock_guard lock(recordLock());
    hipStandIn().legacyHandles += reinterpret_cast<cudaStream_t>(stream) == cudaStreamLegacy;
  }
  HipResult result = answer(symbol, [&] { return body(reinterpret_cast<cudaStream_t>(stream)); });
  bool isNoStream = result == asHip(cudaErrorInvalidResourceHandle);
  return isNoStream && !hasAbi7 ? HipResult::ContextIsDestroyed : result;
}
