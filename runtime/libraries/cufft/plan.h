//===- plan.h - The plans of cuFFT ------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/libraries/cufft/hip.h"
#include "runtime/libraries/cufft/transform.h"

#include <map>
#include <mutex>

namespace regrain::cufft {

/// What a handle stands for.
struct Plan {
  cudaStream_t stream = nullptr;
  bool isMade = false;
  Shape shape;
  size_t workSize = 0;
  std::unique_ptr<HipPlan> hip; ///< does the work, if it runs on an AMD GPU
  /// By direction, and whether the transform is in place.
  std::map<std::pair<int, bool>, std::shared_ptr<Transform>> transforms;
};

/// All plans of the process.
class Plans {
public:
  static Plans &get();

  cufftHandle create(std::unique_ptr<HipPlan> hip);
  bool destroy(cufftHandle handle);
  /// Calls `use` on the plan, while no other thread uses one. Returns CUFFT_INVALID_PLAN if there
  /// is none.
  template <class Use> cufftResult with(cufftHandle handle, Use use) {
    std::lock_guard lock(mutex);
    auto found = plans.find(handle);
    return found == plans.end() ? CUFFT_INVALID_PLAN : use(found->second);
  }

private:
  std::mutex mutex;
  std::map<cufftHandle, Plan> plans;
  cufftHandle next = 1;
};

} // namespace regrain::cufft
