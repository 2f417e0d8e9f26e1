//===- companion.h - Libraries beside the runtime ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>

namespace regrain {

/// Opens `name` in the folder of the library or program that holds this code, else
/// where the loader looks; it stays open. `scope` is RTLD_GLOBAL or RTLD_LOCAL. Null,
/// and the loader's reason, where it cannot be opened.
void *openCompanion(const char *name, int scope, std::string &reason);

} // namespace regrain
