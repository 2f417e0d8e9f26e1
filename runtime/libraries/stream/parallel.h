//===- parallel.h - Independent work in several threads ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <functional>

namespace regrain::libraries {

/// Calls `one(i)` for each i below `count`, in several threads if that is worth it: `operations` is
/// the number of each call. The calls are independent, and small enough not to use threads
/// themselves.
void forEach(int count, double operations, const std::function<void(int)> &one);

} // namespace regrain::libraries
