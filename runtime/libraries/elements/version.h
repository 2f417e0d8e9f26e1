//===- version.h - The version of a library ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/library_types.h"

namespace regrain::libraries {

/// Gives the part of `version`, which is major, minor and patch level, that `type` names. The value
/// 0 of each library's Status is success; `invalid` is that for a bad argument.
template <class Status>
Status getProperty(libraryPropertyType type, int *value, const int (&version)[3], Status invalid) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return invalid;
  *value = version[type];
  return Status(0);
}

} // namespace regrain::libraries
