//===- companion.h - Libraries beside the runtime ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/or_error.h"

namespace regrain {

/// Opens `name` in the folder of the library or program that contains this code,
/// otherwise where the loader searches; it stays open. `scope` is RTLD_GLOBAL or
/// RTLD_LOCAL. The error is the loader's reason.
[[nodiscard]] OrError<void *> openCompanion(const char *name, int scope);

} // namespace regrain
