//===- set_aside.h - Moving a damaged file out of the way -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/connection.h"

namespace regrain {

/// Renames the damaged file that `connection` has open to NAME.damaged-N, N the first
/// that is free, with its journal, and gives the new name; nothing where another
/// process has done so already. The connection is of no use afterwards.
std::string setAside(Connection &connection, DatabaseError &error);

} // namespace regrain
