//===- CheckLaunch.h - Whether a kernel at a grain can be launched --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Refusal/Refusal.h"
#include <optional>

namespace regrain {

/// Refuses a kernel that no launch can run: its warps must stay whole but its known block tears
/// them, or the parameters that the grain appends exceed the maximum of a launch.
[[nodiscard]] std::optional<Refusal> checkLaunch(grain::KernelOp kernel);

} // namespace regrain
