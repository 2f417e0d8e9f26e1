//===- cudart/Entries.h - Every entry of the API ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/cuda_runtime_api.h"

#include <functional>
#include <string>
#include <vector>

namespace regrain {

struct Entry {
  std::string name, group;
  std::function<void()> call; ///< with zeros as the arguments
};

template <typename Result, typename... Parameters>
std::function<void()> callWithNothing(Result (*function)(Parameters...)) {
  return [=] { static_cast<void>(function(Parameters{}...)); };
}

inline std::vector<Entry> allEntries() {
  return {
#define REGRAIN_CUDA_API(RESULT, NAME, PARAMETERS, GROUP) {#NAME, GROUP, callWithNothing(NAME)},
#include "include/cuda/regrain_api.def"
  };
}

} // namespace regrain
